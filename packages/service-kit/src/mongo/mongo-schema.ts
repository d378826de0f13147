import { StartupError } from '@lobbystats/contracts/errors';
import { MongoServerError, type Db } from 'mongodb';

export interface MongoIndex {
  readonly name: string;
  readonly keys: Readonly<Record<string, 1 | -1>>;
  readonly unique?: boolean;
}

export interface MongoCollection {
  readonly name: string;
  readonly indexes: readonly MongoIndex[];
}

/** Created by the init job, checked by the service. */
export interface MongoSchema {
  readonly name: string;
  readonly version: number;
  readonly collections: readonly MongoCollection[];
}

const NAMESPACE_NOT_FOUND = 26;

/** @throws StartupError that names each missing or different index */
export async function checkIndexes(db: Db, where: string, { collections }: MongoSchema): Promise<void> {
  const faults: string[] = [];
  for (const { name, indexes } of collections) {
    const stored = await readIndexes(db, name);
    for (const index of indexes) {
      const found = stored.find((candidate) => candidate.name === index.name);
      if (found === undefined) faults.push(`${name}.${index.name} is missing`);
      else if (!isSameIndex(found, index)) faults.push(`${name}.${index.name} differs`);
    }
  }
  if (faults.length === 0) return;
  throw new StartupError(
    `MongoDB at ${where} lacks indexes (${faults.join(', ')}): run the init job, which creates them`,
  );
}

interface StoredIndex extends MongoIndex {
  /** Options that change an index: filter, collation, TTL. */
  readonly otherOptions: readonly string[];
}

export async function readIndexes(db: Db, collection: string): Promise<StoredIndex[]> {
  try {
    const found = await db.collection(collection).listIndexes().toArray();
    return found.filter(({ name }) => name !== '_id_').map(toStoredIndex);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

export function isSameIndex(stored: StoredIndex, expected: MongoIndex): boolean {
  return (
    hasSameKeys(stored, expected) &&
    (stored.unique ?? false) === (expected.unique ?? false) &&
    stored.otherOptions.length === 0
  );
}

export function hasSameKeys(one: MongoIndex, other: MongoIndex): boolean {
  return JSON.stringify(Object.entries(one.keys)) === JSON.stringify(Object.entries(other.keys));
}

const PLAIN_OPTIONS = ['name', 'key', 'unique', 'v', 'ns', 'background'];

function toStoredIndex(found: Record<string, unknown>): StoredIndex {
  return {
    name: String(found['name']),
    keys: found['key'] as MongoIndex['keys'],
    unique: found['unique'] === true,
    otherOptions: Object.keys(found).filter((option) => !PLAIN_OPTIONS.includes(option)),
  };
}
