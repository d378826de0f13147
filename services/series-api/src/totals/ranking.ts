import {
  compareCodePoints,
  DAY_SECONDS,
  HOUR_SECONDS,
  SLOT_SECONDS,
  SLOTS_PER_DAY,
  type EpochSeconds,
  type OperationQuery,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { dayOf, retained, type Period } from '../series/periods.ts';
import { round2 } from '../series/points.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { TitleQueries } from '../titles/titles.queries.ts';
import { knownTitles, type TitleTotals } from './title-totals.ts';
import type { TitlePeak } from './title-totals.queries.ts';

type RankingQuery = OperationQuery<typeof operations.getRanking>;

const daysOf = { '24h': 1, '7d': 7, '30d': 30 } as const;
/** A period with fewer of its snapshots is not compared with. */
const COMPARABLE_SHARE = 0.9;

/** All games with snapshots in the period; equal values share a rank. Titles that the catalog doesn't know are no games. */
export async function getRanking(
  store: TitleQueries & SlotQueries,
  readTotals: TitleTotals,
  { period, by, limit }: RankingQuery,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getRanking>> {
  const days = daysOf[period];
  const [[totals = new Map<string, TitlePeak>(), before], names, newest] = await Promise.all([
    readTotals([{ after: now - days * DAY_SECONDS, until: now }, periodBefore(now, days)], now),
    store.titleNames(),
    store.slotBefore(now + 1),
  ]);
  const comparable = COMPARABLE_SHARE * days * SLOTS_PER_DAY;
  const ranked = knownTitles(totals, names)
    .map((title) => ({ titleId: title.titleId, gameName: title.gameName, ...valuesOf(title) }))
    .sort((a, b) => b[by] - a[by] || compareCodePoints(a.titleId, b.titleId));
  let rank = 0;
  let rankedValue = Number.NaN;
  const games = ranked.slice(0, limit).map(({ titleId, gameName, ...values }, index) => {
    if (values[by] !== rankedValue) [rank, rankedValue] = [index + 1, values[by]];
    const earlier = before?.get(titleId);
    const previous = earlier !== undefined && earlier.samples >= comparable ? valuesOf(earlier)[by] : null;
    return {
      rank,
      titleId,
      gameName,
      ...values,
      previous,
      change: previous === null ? null : round2(values[by] - previous),
    };
  });
  return { body: { period, by, total: ranked.length, games }, lastModified: newest ?? undefined };
}

function valuesOf({ peak, total, samples }: TitlePeak) {
  return { mean: round2(total / samples), peak, hours: round2((total * SLOT_SECONDS) / HOUR_SECONDS) };
}

/** The whole days before, where its snapshots have expired. */
function periodBefore(now: EpochSeconds, days: number): Period {
  const until = now - days * DAY_SECONDS;
  const after = until - days * DAY_SECONDS;
  return after >= retained(now).after ? { after, until } : { after: dayOf(after) - 1, until: dayOf(until) - 1 };
}
