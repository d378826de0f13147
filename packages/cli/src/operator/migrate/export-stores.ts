import { join } from 'node:path';
import { exportCatalog } from '@lobbystats/catalog-api/admin';
import { exportBackfills } from '@lobbystats/collector/admin';
import { exportReputation } from '@lobbystats/reputation-api/admin';
import { exportSeries, countLines, type PointCounts } from '@lobbystats/series-api/admin';
import { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { exportUsers } from '@lobbystats/user-api/admin';
import { BSON } from 'mongodb';
import type { Part } from '../backup/manifest.ts';
import { bucketFile } from '../servers/influx-backup.ts';
import { mongoFile, type CopyOptions } from '../servers/back-up-mongo.ts';
import { IDENTITIES, serverDatabases } from '../servers/servers.ts';
import { writePart, type PartWriter } from '../servers/part-file.ts';
import { readStore, standaloneStores } from '../standalone/standalone-stores.ts';

const exporters = {
  collector: { exportDocuments: exportBackfills, counters: undefined },
  catalog: { exportDocuments: exportCatalog, counters: 'catalog' },
  users: { exportDocuments: exportUsers, counters: 'user_state' },
  reputation: { exportDocuments: exportReputation, counters: 'reputation' },
} as const;

interface OpenPart {
  readonly file: string;
  readonly part: PartWriter;
  count: number;
}

export async function exportStores(directory: string, origin: string, copying: CopyOptions): Promise<Part[]> {
  const parts: Part[] = [];
  for (const name of Object.keys(exporters) as (keyof typeof exporters)[]) {
    parts.push(...(await exportStore(join(directory, standaloneStores[name].file), { name, origin }, copying)));
  }
  const series = join(directory, standaloneStores.series.file);
  return [...parts, ...(await readStore(series, (db) => exportSeriesStore(new SqliteStore(db), copying)))];
}

async function exportStore(
  path: string,
  { name, origin }: { name: keyof typeof exporters; origin: string },
  { directory, reportProgress }: CopyOptions,
): Promise<Part[]> {
  const schema = serverDatabases.find((one) => one.schema.name === name)?.schema;
  if (schema === undefined) throw new Error(`${name} has no database`);
  const open = new Map<string, OpenPart>();
  for (const collection of [IDENTITIES, ...schema.collections.map((one) => one.name)]) {
    const file = mongoFile(name, collection);
    open.set(collection, { file, part: writePart(directory, file), count: 0 });
  }
  const put = async (collection: string, document: object) => {
    const target = open.get(collection);
    if (target === undefined) throw new Error(`${name} has no collection ${collection}`);
    await target.part.write(BSON.serialize(document, { ignoreUndefined: true }));
    target.count += 1;
    reportProgress(() => `${name}: ${target.count} of ${collection}`);
  };
  await put(IDENTITIES, { _id: 'identity', name, schemaVersion: schema.version, origin });
  const { exportDocuments, counters } = exporters[name];
  await readStore(path, async (db) => {
    const store = new SqliteStore(db);
    for (const [collection, document] of exportDocuments(store)) await put(collection, document);
    if (counters === undefined) return;
    for (const [collection, document] of exportOutbox(store, counters)) await put(collection, document);
  });
  const parts: Part[] = [];
  for (const [collection, { file, part, count }] of open) {
    const about = { store: name, schemaVersion: schema.version, counts: { [collection]: count } };
    parts.push({ file, ...(await part.end()), ...about });
  }
  return parts;
}

async function exportSeriesStore(store: SqliteStore, { directory, reportProgress }: CopyOptions): Promise<Part[]> {
  const kinds = ['snapshots', 'daily'] as const;
  const open = kinds.map((kind) => ({ kind, part: writePart(directory, bucketFile(kind)), counts: noCounts() }));
  let points = 0;
  for (const [kind, line] of exportSeries(store)) {
    const target = open.find((one) => one.kind === kind);
    await target?.part.write(`${JSON.stringify(line)}\n`);
    if (target !== undefined) countLines([line], target.counts);
    points += 1;
    reportProgress(() => `series: ${points} points`);
  }
  const parts: Part[] = [];
  for (const { kind, part, counts } of open) {
    parts.push({ file: bucketFile(kind), ...(await part.end()), store: 'series', schemaVersion: null, counts });
  }
  return parts;
}

function noCounts(): PointCounts {
  return {};
}

interface OutboxRow {
  place: number;
  past: number;
  data: string;
}

/**
 * Outbox rows in MongoDB's format.
 *
 * @param counters the collection of the last position
 */
function* exportOutbox(sqlite: SqliteStore, counters: string): Generator<readonly [string, object]> {
  const sql = 'SELECT place, type, id, occurred_at AS occurredAt, past, data FROM outbox ORDER BY place';
  for (const { place, past, data, ...fact } of sqlite.all<OutboxRow>(sql)) {
    yield ['outbox', { _id: place, ...fact, past: past === 1, data: JSON.parse(data) as unknown }];
  }
  const last = sqlite.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")?.seq;
  if (last !== undefined) yield [counters, { _id: 'outbox', place: last }];
}
