import { HOUR_SECONDS, operations, parseInstant, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { PageData } from '../page.ts';
import type { PlotFlag } from '../plots/plot-data.ts';
import { snapshotRanges, type PlotRange } from './ranges.ts';

const { getOnlineSeries } = operations;

/** Operations that {@link networkOutages} asks. */
export const networkOutagesOperations = [getOnlineSeries] as const;

/** Outages of the network in a period. Days do not show them: for a year there are none. */
export async function networkOutages(range: PlotRange, data: PageData): Promise<readonly PlotFlag[]> {
  if (range === '1y') return [];
  const { days, resolution, step } = snapshotRanges[range];
  return outages((await data.askPart(getOnlineSeries, {}, { days, resolution })) ?? [], step);
}

/** A fall to less than this share of the count before, within {@link FALL_SECONDS}, is not the usual evening. */
export const FALL_SHARE = 0.5;
const FALL_SLOTS = 3;
export const FALL_SECONDS = FALL_SLOTS * SLOT_SECONDS;
/** Above this share of the count before, the network has recovered. */
export const RECOVERED_SHARE = 0.7;
/** In smaller networks a few users are a large share. */
export const USERS_MIN = 20;
/** A longer absence has other reasons. */
const OUTAGE_SECONDS_MAX = 12 * HOUR_SECONDS;

/** A count of the network, or a mean with its lowest count. */
interface Point {
  readonly recorded_at: string;
  readonly online_count: number;
  readonly min?: number | undefined;
}

/** Sudden falls of users online, each until they have recovered. @param points ascending @param step their distance, in seconds */
export function outages(points: readonly Point[], step: number): PlotFlag[] {
  const counts = points.map(({ recorded_at, online_count, min }) => ({
    at: parseInstant(recorded_at),
    count: min ?? online_count,
  }));
  const found: PlotFlag[] = [];
  let since: { at: EpochSeconds; before: number } | undefined;
  for (const [index, { at, count }] of counts.entries()) {
    if (since !== undefined) {
      const isOver = count >= RECOVERED_SHARE * since.before;
      if (!isOver && at - since.at < OUTAGE_SECONDS_MAX) continue;
      if (isOver) found.push(outage(since.at, at));
      since = undefined;
      continue;
    }
    const before = counts
      .slice(Math.max(0, index - FALL_SLOTS), index)
      .filter((one) => at - one.at <= Math.max(step, FALL_SECONDS))
      .reduce((most, one) => Math.max(most, one.count), 0);
    if (before >= USERS_MIN && count < FALL_SHARE * before) since = { at, before };
  }
  const last = counts.at(-1);
  return since === undefined || last === undefined ? found : [...found, outage(since.at, last.at)];
}

function outage(at: EpochSeconds, until: EpochSeconds): PlotFlag {
  return { kind: 'outage', at, until, text: 'players of the whole network fell' };
}
