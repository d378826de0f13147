import { join } from 'node:path';
import { carriedCatalog } from '@lobbystats/catalog-api';
import { carriedFills } from '@lobbystats/collector';
import { carriedReputation } from '@lobbystats/reputation-api';
import { carriedSeries, countLines, type PointCounts } from '@lobbystats/series-api';
import { SqliteStore } from '@lobbystats/sqlite-store';
import { carriedPeople } from '@lobbystats/user-api';
import { BSON } from 'mongodb';
import type { Part } from '../backup/manifest.ts';
import { bucketFile } from '../servers/back-up-influx.ts';
import { mongoFile, type Copying } from '../servers/back-up-mongo.ts';
import { IDENTITIES, serverDatabases } from '../servers/server-databases.ts';
import { writePart, type PartWriter } from '../servers/part-writer.ts';
import { openToRead } from '../standalone/sqlite-file.ts';
import { standaloneStores } from '../standalone/standalone-stores.ts';
import { carriedOutbox } from './carried-outbox.ts';

const carriers = {
  collector: { carry: carriedFills, counters: undefined },
  catalog: { carry: carriedCatalog, counters: 'catalog' },
  people: { carry: carriedPeople, counters: 'people' },
  reputation: { carry: carriedReputation, counters: 'reputation' },
} as const;

interface Open {
  readonly file: string;
  readonly part: PartWriter;
  count: number;
}

export async function carryStores(directory: string, origin: string, copying: Copying): Promise<Part[]> {
  const parts: Part[] = [];
  for (const name of Object.keys(carriers) as (keyof typeof carriers)[]) {
    parts.push(...(await carryStore(join(directory, standaloneStores[name].file), { name, origin }, copying)));
  }
  const series = openToRead(join(directory, standaloneStores.series.file));
  try {
    parts.push(...(await carrySeries(new SqliteStore(series), copying)));
  } finally {
    series.close();
  }
  return parts;
}

async function carryStore(
  path: string,
  { name, origin }: { name: keyof typeof carriers; origin: string },
  { directory, tell }: Copying,
): Promise<Part[]> {
  const schema = serverDatabases.find((one) => one.schema.name === name)?.schema;
  if (schema === undefined) throw new Error(`${name} has no database`);
  const open = new Map<string, Open>();
  for (const collection of [IDENTITIES, ...schema.collections.map((one) => one.name)]) {
    const file = mongoFile(name, collection);
    open.set(collection, { file, part: writePart(directory, file), count: 0 });
  }
  const put = async (collection: string, document: object) => {
    const target = open.get(collection);
    if (target === undefined) throw new Error(`${name} has no collection ${collection}`);
    await target.part.write(BSON.serialize(document, { ignoreUndefined: true }));
    target.count += 1;
    tell(() => `${name}: ${target.count} of ${collection}`);
  };
  await put(IDENTITIES, { _id: 'identity', name, schemaVersion: schema.version, origin });
  const { carry, counters } = carriers[name];
  const db = openToRead(path);
  try {
    const store = new SqliteStore(db);
    for (const [collection, document] of carry(store)) await put(collection, document);
    if (counters !== undefined) {
      for (const [collection, document] of carriedOutbox(store, counters)) await put(collection, document);
    }
  } finally {
    db.close();
  }
  const parts: Part[] = [];
  for (const [collection, { file, part, count }] of open) {
    const about = { store: name, schemaVersion: schema.version, counts: { [collection]: count } };
    parts.push({ file, ...(await part.end()), ...about });
  }
  return parts;
}

async function carrySeries(store: SqliteStore, { directory, tell }: Copying): Promise<Part[]> {
  const kinds = ['snapshots', 'daily'] as const;
  const open = kinds.map((kind) => ({ kind, part: writePart(directory, bucketFile(kind)), counts: noPoints() }));
  let points = 0;
  for (const [kind, line] of carriedSeries(store)) {
    const target = open.find((one) => one.kind === kind);
    await target?.part.write(`${JSON.stringify(line)}\n`);
    if (target !== undefined) countLines([line], target.counts);
    points += 1;
    tell(() => `series: ${points} points`);
  }
  const parts: Part[] = [];
  for (const { kind, part, counts } of open) {
    parts.push({ file: bucketFile(kind), ...(await part.end()), store: 'series', schemaVersion: null, counts });
  }
  return parts;
}

function noPoints(): PointCounts {
  return {};
}
