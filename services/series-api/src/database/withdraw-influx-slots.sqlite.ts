import { DAY_SECONDS, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { openSqliteStore, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { MatchRun } from '../matches/match-runs.ts';
import { exportSeries } from './export-series.sqlite.ts';
import { migrations } from './series-schema.sqlite.ts';
import { daysAround, withdrawIn, type Withdrawal, type WithdrawalReport } from './withdraw-slots.sqlite.ts';
import { BUCKETS, type BucketNames } from './buckets.influx.ts';
import { copyAffected, type Affected } from './copy-affected.sqlite.ts';
import { deletePoints, type InfluxAdmin } from './series-admin.influx.ts';
import { connectInflux, type InfluxConnection } from './connection.influx.ts';
import { readRuns, removalLines, runLines } from '../matches/match-runs.influx.ts';
import { MATCH_END_MAX_SECONDS } from '../matches/read-slots.ts';
import { pointKeyOf } from '../snapshots/slot-writes.influx.ts';
import { createRetentionWindow } from './store-parts.influx.ts';

const TIMEOUT_MS = 120_000;

/**
 * Withdraws slots on a copy in SQLite, and then makes InfluxDB equal to the copy. Nothing else may write. A repetition
 * completes a failed one, since all is derived from the snapshots that remain.
 *
 * @throws StartupError when the server refuses
 * @throws AppError `unavailable` when the server is unreachable or fails
 */
export async function withdrawInfluxSlots(
  admin: InfluxAdmin,
  withdrawal: Withdrawal,
  { isDryRun, buckets = BUCKETS }: { readonly isDryRun: boolean; readonly buckets?: BucketNames },
): Promise<WithdrawalReport> {
  const influx = connectInflux({ ...admin, buckets, readMs: TIMEOUT_MS, writeMs: TIMEOUT_MS });
  const memory = { url: 'sqlite::memory:', name: 'series', origin: 'copy', migrations, durability: 'normal' } as const;
  const copy = openSqliteStore(memory);
  try {
    const parts = { influx, horizon: createRetentionWindow(0, () => 0) };
    const { fromInclusive: from, toInclusive: to, titleId } = withdrawal;
    const around = { from: from - MATCH_END_MAX_SECONDS, to: to + MATCH_END_MAX_SECONDS };
    const touched = await readRuns(parts, { ...around, ...(titleId !== undefined && { titleId }) });
    const days = daysAround(withdrawal, touched);
    const affected = { first: days[0] ?? from, end: (days.at(-1) ?? to) + DAY_SECONDS, titleId };
    const runsBefore = await copyAffected(parts, affected, copy);
    const report = await withdrawIn(copy, withdrawal);
    if (!isDryRun)
      await applyCopy({ admin, buckets, influx }, linesIn(copy, affected), { withdrawal, affected, runsBefore });
    return report;
  } finally {
    copy.close();
    influx.close();
  }
}

type LinesByMeasurement = ReadonlyMap<string, readonly string[]>;

/** Lines of the copy that InfluxDB has to have. */
function linesIn(copy: SqliteStore, { first }: Affected): LinesByMeasurement {
  // Days of before stand for those that the copy was made of.
  copy.run('DELETE FROM title_daily WHERE day < ?', first);
  const lines = new Map<string, string[]>();
  for (const [, line] of exportSeries(copy)) {
    const measurement = /^[^, ]+/.exec(line)?.[0] ?? '';
    if (measurement === 'title' || measurement === 'match') continue;
    const some = lines.get(measurement);
    if (some === undefined) lines.set(measurement, [line]);
    else some.push(line);
  }
  return lines;
}

interface Target {
  readonly admin: InfluxAdmin;
  readonly buckets: BucketNames;
  readonly influx: InfluxConnection;
}

interface Differences {
  readonly withdrawal: Withdrawal;
  readonly affected: Affected;
  readonly runsBefore: readonly MatchRun[];
}

/** Runs come last: until then, a repetition finds the same days. */
async function applyCopy(target: Target, lines: LinesByMeasurement, differences: Differences): Promise<void> {
  const { withdrawal, affected, runsBefore } = differences;
  const { fromInclusive: from, toInclusive: to, titleId } = withdrawal;
  for (const measurement of ['match', 'title']) await deleteRange(target, measurement, { from, to, titleId });
  await deleteRange(target, 'site', { from, to });
  if (titleId !== undefined) {
    const ofRange = (line: string) => from <= secondsOf(line) && secondsOf(line) <= to;
    await target.influx.write('snapshots', (lines.get('site') ?? []).filter(ofRange));
  }
  const days = { from: affected.first, to: affected.end - SLOT_SECONDS };
  for (const measurement of ['site_daily', 'site_rollup']) await replaceDays(target, measurement, days, lines);
  await replaceDays(target, 'title_daily', { ...days, titleId }, lines);
  await replaceDays(target, 'title_record', { from: 0, to: 0, titleId }, lines);

  const runLinesAfter = ['match_run', 'match_run_long', 'host_run'].flatMap((name) => lines.get(name) ?? []);
  const unchanged = new Set(runsBefore.flatMap(runLines));
  const keys = new Set(runLinesAfter.map(pointKeyOf));
  await target.influx.write(
    'snapshots',
    runLinesAfter.filter((line) => !unchanged.has(line)),
  );
  await target.influx.write(
    'snapshots',
    runsBefore.flatMap(removalLines).filter((line) => !keys.has(pointKeyOf(line))),
  );
}

interface Range {
  readonly from: EpochSeconds;
  readonly to: EpochSeconds;
  readonly titleId?: string | undefined;
}

/** Deletes first: a point that is overwritten keeps the fields that the new one lacks. */
async function replaceDays(
  target: Target,
  measurement: string,
  range: Range,
  lines: LinesByMeasurement,
): Promise<void> {
  await deleteRange(target, measurement, range, 'daily');
  await target.influx.write('daily', lines.get(measurement) ?? []);
}

/** From a slot to the end of another one: points of hosts lie within their slots. */
function deleteRange(
  { admin, buckets }: Target,
  measurement: string,
  { from, to, titleId }: Range,
  bucket: keyof BucketNames = 'snapshots',
): Promise<void> {
  const ofTitle = titleId === undefined ? '' : ` AND titleId="${titleId}"`;
  return deletePoints(admin, buckets[bucket], {
    start: instantText(from * 1000),
    stop: instantText((to + SLOT_SECONDS) * 1000 - 1),
    predicate: `_measurement="${measurement}"${ofTitle}`,
  });
}

function instantText(ms: number): string {
  return new Date(ms).toISOString();
}

function secondsOf(line: string): EpochSeconds {
  return Number(BigInt(line.slice(line.lastIndexOf(' ') + 1)) / 1_000_000_000n);
}
