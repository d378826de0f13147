import { join } from 'node:path';
import { exportCatalog } from '@lobbystats/catalog-api/admin';
import { exportBackfills } from '@lobbystats/collector/admin';
import { exportReputation } from '@lobbystats/reputation-api/admin';
import { exportSeries, countLines, type PointCounts } from '@lobbystats/series-api/admin';
import { SqliteStore } from '@lobbystats/sqlite-store';
import { exportUsers } from '@lobbystats/user-api/admin';
import { BSON } from 'mongodb';
import type { Part } from '../backup/manifest.ts';
import { bucketFile } from '../servers/back-up-influx.ts';
import { mongoFile, type CopyOptions } from '../servers/back-up-mongo.ts';
import { IDENTITIES, serverDatabases } from '../servers/server-databases.ts';
import { writePart, type PartWriter } from '../servers/part-writer.ts';
import { openReadOnly } from '../standalone/sqlite-file.ts';
import { standaloneStores } from '../standalone/standalone-stores.ts';
import { exportOutbox } from './export-outbox.ts';

const exporters = {
  collector: { exportDocuments: exportBackfills, counters: undefined },
  catalog: { exportDocuments: exportCatalog, counters: 'catalog' },
  people: { exportDocuments: exportUsers, counters: 'people' },
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
  const series = openReadOnly(join(directory, standaloneStores.series.file));
  try {
    parts.push(...(await exportSeriesStore(new SqliteStore(series), copying)));
  } finally {
    series.close();
  }
  return parts;
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
  const db = openReadOnly(path);
  try {
    const store = new SqliteStore(db);
    for (const [collection, document] of exportDocuments(store)) await put(collection, document);
    if (counters !== undefined) {
      for (const [collection, document] of exportOutbox(store, counters)) await put(collection, document);
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

async function exportSeriesStore(store: SqliteStore, { directory, reportProgress }: CopyOptions): Promise<Part[]> {
  const kinds = ['snapshots', 'daily'] as const;
  const open = kinds.map((kind) => ({ kind, part: writePart(directory, bucketFile(kind)), counts: emptyCounts() }));
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

function emptyCounts(): PointCounts {
  return {};
}
