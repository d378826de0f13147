import {
  clearBucket,
  countLines,
  countPoints,
  exportPoints,
  importLines,
  influxBuckets,
  type InfluxAdmin,
  type PointCounts,
} from '@lobbystats/series-api/admin';
import { percentOfPoints } from '../backup/progress.ts';
import { verifyCounts } from '../backup/manifest.ts';

/**
 * Replaces the series of one server by those of another. Points of the site mark a slot as stored: they are read first,
 * so that all of a slot that they mark is copied, and written last, so that an interrupted copy has few slots.
 *
 * @returns the number of points
 */
export async function copySeries(
  source: InfluxAdmin,
  target: InfluxAdmin,
  { nowMs, reportProgress }: { nowMs: number; reportProgress: (text: () => string) => void },
): Promise<number> {
  for (const kind of ['snapshots', 'daily'] as const) await clearBucket(target, influxBuckets[kind]);
  let points = 0;
  const marks: string[] = [];
  for (const kind of ['daily', 'snapshots'] as const) {
    const bucket = influxBuckets[kind];
    const counts: PointCounts = {};
    const total = await countPoints(source, bucket);
    const write = async (lines: readonly string[]) => {
      const expired = new Set(await importLines(target, { bucket, kind, nowMs }, lines));
      countLines(
        lines.filter((line) => !expired.has(line)),
        counts,
      );
      points += lines.length - expired.size;
      reportProgress(() => `${kind}: ${percentOfPoints(counts, total)}`);
    };
    for await (const lines of exportPoints(source, { bucket, kind })) {
      const isMark = (line: string) => line.startsWith('site ');
      marks.push(...lines.filter(isMark));
      await write(lines.filter((line) => !isMark(line)));
    }
    if (kind === 'snapshots') await write(marks);
    verifyCounts(`the bucket ${bucket} has other counts than were copied`, counts, await countPoints(target, bucket));
  }
  return points;
}
