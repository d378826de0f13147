import { RefusalError } from '@lobbystats/errors';
import { MongoServerError, type Db } from 'mongodb';
import type { MongoIndex, MongoSchema } from './mongo-schema.ts';

const NAMESPACE_NOT_FOUND = 26;

/** @throws RefusalError that names each missing or different index */
export async function checkIndexes(db: Db, where: string, { collections }: MongoSchema): Promise<void> {
  const faults: string[] = [];
  for (const { name, indexes } of collections) {
    const stored = await storedIndexes(db, name);
    for (const index of indexes) {
      const found = stored.find((candidate) => candidate.name === index.name);
      if (found === undefined) faults.push(`${name}.${index.name} is missing`);
      else if (!isSame(found, index)) faults.push(`${name}.${index.name} is another`);
    }
  }
  if (faults.length === 0) return;
  throw new RefusalError(
    `MongoDB at ${where} lacks indexes (${faults.join(', ')}): run the init job, which makes them`,
  );
}

export interface StoredIndex extends MongoIndex {
  /** Options that change an index: filter, collation, TTL. */
  readonly others: readonly string[];
}

export async function storedIndexes(db: Db, collection: string): Promise<StoredIndex[]> {
  try {
    const found = await db.collection(collection).listIndexes().toArray();
    return found.filter(({ name }) => name !== '_id_').map(storedIndex);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

export function isSame(stored: StoredIndex, wanted: MongoIndex): boolean {
  return (
    hasSameKeys(stored, wanted) && (stored.unique ?? false) === (wanted.unique ?? false) && stored.others.length === 0
  );
}

export function hasSameKeys(one: MongoIndex, other: MongoIndex): boolean {
  return JSON.stringify(Object.entries(one.keys)) === JSON.stringify(Object.entries(other.keys));
}

const PLAIN = ['name', 'key', 'unique', 'v', 'ns', 'background'];

function storedIndex(found: Record<string, unknown>): StoredIndex {
  return {
    name: String(found['name']),
    keys: found['key'] as MongoIndex['keys'],
    unique: found['unique'] === true,
    others: Object.keys(found).filter((option) => !PLAIN.includes(option)),
  };
}
