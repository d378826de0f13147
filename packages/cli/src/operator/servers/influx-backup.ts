import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import {
  clearBucket,
  countLines,
  countPoints,
  exportPoints,
  importLines,
  influxBuckets,
  verifyAdminToken,
  type InfluxAdmin,
  type PointCounts,
} from '@lobbystats/series-api/admin';
import { OperatorError } from '@lobbystats/service-kit';
import { z } from 'zod';
import { verifyCounts, type Part } from '../backup/manifest.ts';
import { percentOfPoints } from '../backup/progress.ts';
import type { CopyOptions } from './back-up-mongo.ts';
import { writePart } from './part-file.ts';
import type { RestoreSource } from './restore-mongo.ts';

const LINES_PER_BATCH = 20_000;
const line = z.string();
const bucketKinds = ['snapshots', 'daily'] as const;

export function bucketFile(kind: (typeof bucketKinds)[number]): string {
  return `influxdb.${kind}.jsonl.gz`;
}

export async function backUpInflux(admin: InfluxAdmin, { directory, reportProgress }: CopyOptions): Promise<Part[]> {
  await verifyAdminToken(admin);
  const parts: Part[] = [];
  for (const kind of bucketKinds) {
    const file = bucketFile(kind);
    const part = writePart(directory, file);
    const counts: PointCounts = {};
    const total = await countPoints(admin, influxBuckets[kind]);
    for await (const lines of exportPoints(admin, { bucket: influxBuckets[kind], kind })) {
      if (lines.length === 0) continue;
      await part.write(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
      countLines(lines, counts);
      reportProgress(() => `InfluxDB's ${kind}: ${percentOfPoints(counts, total)}`);
    }
    parts.push({ file, ...(await part.end()), store: 'series', schemaVersion: null, counts });
  }
  return parts;
}

/** Whether the buckets have no data. */
export async function isInfluxEmpty(admin: InfluxAdmin): Promise<boolean> {
  for (const kind of bucketKinds) {
    const counts = await countPoints(admin, influxBuckets[kind]);
    if (Object.keys(counts).some((name) => !name.startsWith('store_identity.'))) return false;
  }
  return true;
}

/**
 * Replaces the data of the buckets.
 *
 * @param nowMs epoch milliseconds
 * @returns the number of expired points, which are skipped
 */
export async function restoreInflux(
  admin: InfluxAdmin,
  { from, manifest, reportProgress, nowMs }: RestoreSource & { nowMs: number },
): Promise<number> {
  let expired = 0;
  for (const kind of bucketKinds) {
    const file = bucketFile(kind);
    const part = manifest.parts.find((one) => one.file === file);
    if (part === undefined) throw new OperatorError(`the backup has no ${file}`);
    const bucket = influxBuckets[kind];
    await clearBucket(admin, bucket);
    const skipped: PointCounts = {};
    const done: PointCounts = {};
    for await (const lines of linesIn(join(from, file))) {
      const late = await importLines(admin, { bucket, kind, nowMs }, lines);
      countLines(late, skipped);
      expired += late.length;
      countLines(lines, done);
      reportProgress(() => `InfluxDB's ${kind}: ${percentOfPoints(done, part.counts)}`);
    }
    const expected = Object.fromEntries(
      Object.entries(part.counts).map(([name, count]) => [name, count - (skipped[name] ?? 0)]),
    );
    verifyCounts(`InfluxDB's ${bucket} has other counts than the backup`, expected, await countPoints(admin, bucket));
  }
  return expired;
}

async function* linesIn(path: string): AsyncGenerator<string[]> {
  let lines: string[] = [];
  const input = createReadStream(path).pipe(createGunzip());
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    lines.push(line.parse(JSON.parse(text)));
    if (lines.length < LINES_PER_BATCH) continue;
    yield lines;
    lines = [];
  }
  if (lines.length > 0) yield lines;
}
