import {
  activityCounts,
  compareCodePoints,
  formatInstant,
  formatTimestamp,
  type EpochSeconds,
  type OperationQuery,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { retained, lastHours } from './periods.ts';
import { highestOf } from './series-rows.ts';
import type { SeriesReader, SeriesPoint, TitlePeak } from '../database/series-store.ts';
import { knownTitles, type TitleTotals } from '../titles/title-totals.ts';

/** In seconds. */
export const LOBBIES_MAX_AGE_SECONDS = 3600;

/** A title whose page was missing keeps its last lobbies for an hour. */
export async function getLatestActivity(
  store: Pick<SeriesReader, 'slotBefore' | 'titlesIn' | 'lobbiesIn' | 'newestLobbies'>,
  { titleId: asked }: OperationQuery<typeof operations.getLatestActivity>,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getLatestActivity>> {
  const slot = await store.slotBefore(now + 1);
  if (slot === null || slot <= retained(now).after) return { body: { slot: null, titles: [] } };
  const [titles, lobbies] = await Promise.all([store.titlesIn(slot, asked), store.lobbiesIn(slot, asked)]);
  const unread = titles.filter((title) => title.lobbies === null).map(({ titleId }) => titleId);
  const earlier = await store.newestLobbies(unread, { after: slot - LOBBIES_MAX_AGE_SECONDS - 1, until: slot - 1 });
  const hosts = new Map(
    [...lobbies, ...earlier].map((title) => [title.titleId, title.hosts.toSorted(compareCodePoints)]),
  );
  const body = {
    slot: formatInstant(slot),
    titles: titles.map((title) => {
      const { titleId, sessions } = title;
      const lobbyHostNames = hosts.get(titleId) ?? [];
      return {
        titleId,
        ...activityCounts((name) => title[name]),
        activeLobbies: lobbyHostNames.length,
        hasActiveSession: sessions > 0,
        lobbyHostNames,
      };
    }),
  };
  return { body, lastModified: slot };
}

type SummaryPeriod = 'today' | '7d';

const hoursOf: Record<SummaryPeriod, number> = { today: 24, '7d': 168 };

export async function getOnlineSummary(
  store: Pick<SeriesReader, 'siteOnline' | 'siteLobbies' | 'titleNames'>,
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
