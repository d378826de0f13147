import { DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { MatchRun } from '../matches/match-runs.ts';
import type { SeriesStore } from '../database/series-store.ts';
import { titleDayLine } from './dailies.influx.ts';
import { readRuns } from '../matches/match-runs.influx.ts';
import { IN_PERIOD, periodValues, instantValue } from '../database/query-response.influx.ts';
import type { StoreParts } from '../database/store-parts.influx.ts';
import { byTitle } from '../snapshots/slot-reads.influx.ts';
import { raiseTitleRecords } from './title-records.influx.ts';
import type { InfluxConnection } from '../database/connection.influx.ts';

const DAYS_PER_BATCH = 2;

export function rollups(parts: StoreParts) {
  return {
    rollUp: async (days) => {
      const groups = await titleGroups(parts.influx);
      for (let from = 0; from < days.length; from += DAYS_PER_BATCH) {
        const some = days.slice(from, from + DAYS_PER_BATCH);
        const lines = await Promise.all(some.map((day) => linesOfDay(parts, day, groups)));
        await parts.influx.write('daily', lines.flat());
        for (const day of some) await raiseTitleRecords(parts, day, groups);
      }
    },
  } satisfies Partial<SeriesStore>;
}

/** Gaps are shorter than a day, so the matches that were open on a day are the runs that overlap it. */
async function linesOfDay(parts: StoreParts, day: EpochSeconds, groups: readonly string[]): Promise<string[]> {
  const runs = await readRuns(parts, { from: day, to: day + DAY_SECONDS - 1 });
  const played = Map.groupBy(runs, ({ titleId }) => titleId);
  const lines: string[] = [];
  for (const group of groups) lines.push(...(await linesOfGroup(parts, day, group, played)));
  return lines;
}

async function linesOfGroup(
  { influx, horizon }: StoreParts,
  day: EpochSeconds,
  group: string,
  played: ReadonlyMap<string, readonly MatchRun[]>,
): Promise<string[]> {
  const values = periodValues({ after: day - 1, until: day + DAY_SECONDS - 1 }, horizon.snapshots());
  const inDay = `FROM title WHERE ${group} AND ${IN_PERIOD} GROUP BY titleId`;
  const [[counted, newest], [stored]] = await Promise.all([
    influx.query(
      'snapshots',
      `SELECT max(lobbyPlayers), max(online), sum(online), count(online) ${inDay}; SELECT last(online) ${inDay}`,
      values,
    ),
    influx.query('daily', `SELECT samples FROM title_daily WHERE ${group} AND time = $day GROUP BY titleId`, {
      day: instantValue(day),
    }),
  ]);
  const newestSlots = new Map(byTitle(newest).map(([titleId, [slot]]) => [titleId, slot]));
  const samplesBefore = new Map(byTitle(stored).map(([titleId, [, samples]]) => [titleId, Number(samples)]));

  const lines = [];
  for (const [titleId, [, peakPlayers, peakOnline, onlineSum, samples]] of byTitle(counted)) {
    if (Number(samples) < (samplesBefore.get(titleId) ?? 0)) continue;
    const open = played.get(titleId) ?? [];
    lines.push(
      titleDayLine(titleId, {
        day,
        lobbyCount: open.length,
        uniqueHosts: new Set(open.map(({ host }) => host)).size,
        peakPlayers: Number(peakPlayers),
        peakOnline: Number(peakOnline),
        onlineSum: Number(onlineSum),
        samples: Number(samples),
        newestSlot: Number(newestSlots.get(titleId)),
      }),
    );
  }
  return lines;
}

/** InfluxDB aggregates a day of this many well within the read timeout, beside other work. */
const TITLES_PER_STATEMENT = 250;
const DIGITS = Array.from({ length: 16 }, (_, digit) => digit.toString(16));

/**
 * Conditions on `titleId` that split the titles into disjoint groups, by the last digit of their IDs. InfluxDB takes time
 * for each series of a statement, so one statement for all titles of a large network would exceed the read timeout.
 */
export async function titleGroups(influx: Pick<InfluxConnection, 'query'>): Promise<string[]> {
  const [found] = await influx.query('daily', 'SELECT count(known) FROM title_info WHERE time <= 0', {});
  const titles = Number(found?.[0]?.values[0]?.[1] ?? 0);
  const count = Math.min(DIGITS.length, Math.ceil(titles / TITLES_PER_STATEMENT));
  if (count <= 1) return ['true'];
  return Array.from({ length: count }, (_, group) => {
    const digits = DIGITS.filter((_digit, index) => index % count === group);
    return `titleId =~ /[${digits.join('')}]$/`;
  });
}
