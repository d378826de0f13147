import {
  compareCodePoints,
  formatTimestamp,
  type EpochSeconds,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { lastHours } from '../series/periods.ts';
import { highestOf, type SeriesPoint } from '../series/points.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { TitleQueries } from '../titles/titles.queries.ts';
import { knownTitles, type TitleTotals } from './title-totals.ts';
import type { TitlePeak } from './title-totals.queries.ts';

type SummaryPeriod = 'today' | '7d';

const hoursOf: Record<SummaryPeriod, number> = { today: 24, '7d': 168 };

export async function getOnlineSummary(
  store: SlotQueries & TitleQueries,
  readTotals: TitleTotals,
  period: SummaryPeriod,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getOnlineSummary>> {
  const last = lastHours(now, hoursOf[period]);
  const [online, lobbies, names, [totals]] = await Promise.all([
    store.siteOnline(last),
    store.siteLobbies(last),
    store.titleNames(),
    readTotals([last], now),
  ]);
  const titles = knownTitles(totals ?? new Map<string, TitlePeak>(), names);
  const [peakOnlineAt, peakOnline] = peakOf(online);
  const [peakLobbiesAt, peakLobbies] = peakOf(lobbies);
  const mostPlayed = titles.toSorted(byPeak)[0];
  const body = {
    period,
    peakOnline,
    peakOnlineAt,
    peakLobbies,
    peakLobbiesAt,
    mostPlayedGame: mostPlayed
      ? { name: mostPlayed.gameName, titleId: mostPlayed.titleId, peak: mostPlayed.peak }
      : null,
    gamesWithActivityCount: titles.filter(({ peak }) => peak > 0).length,
    totalSnapshotCount: online.length,
  };
  return { body, lastModified: online.at(-1)?.[0] };
}

function peakOf(points: readonly SeriesPoint[]): [at: string | null, peak: number] {
  const peak = highestOf(points);
  return peak === undefined ? [null, 0] : [formatTimestamp(peak[0]), peak[1]];
}

type KnownTitle = ReturnType<typeof knownTitles>[number];

function byPeak(a: KnownTitle, b: KnownTitle): number {
  return (
    b.peak - a.peak ||
    b.total - a.total ||
    compareCodePoints(a.gameName, b.gameName) ||
    compareCodePoints(a.titleId, b.titleId)
  );
}
