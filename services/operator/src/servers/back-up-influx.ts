import {
  countLines,
  verifyAdminToken,
  exportPoints,
  influxBuckets,
  type InfluxAdmin,
  type PointCounts,
} from '@lobbystats/series-api/admin';
import type { Part } from '../backup/manifest.ts';
import type { CopyOptions } from './back-up-mongo.ts';
import { writePart } from './part-writer.ts';

export const bucketKinds = ['snapshots', 'daily'] as const;

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
    let points = 0;
    for await (const lines of exportPoints(admin, { bucket: influxBuckets[kind], kind })) {
      if (lines.length === 0) continue;
      await part.write(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
      countLines(lines, counts);
      points += lines.length;
      reportProgress(() => `InfluxDB's ${kind}: ${points} points`);
    }
    parts.push({ file, ...(await part.end()), store: 'series', schemaVersion: null, counts });
  }
  return parts;
}
