import {
  formatTimestamp,
  formatDate,
  matchId,
  type EpochSeconds,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import type { MatchRun } from './match-runs.ts';
import { lastHours, lastDays } from '../snapshots/periods.ts';
import type { Page, SeriesReader, TitleDay } from '../database/series-store.ts';
import { createTimestampFormatter, round2 } from '../snapshots/series-rows.ts';
import { titleHeader } from '../titles/title-header.ts';

type Store = Pick<SeriesReader, 'title' | 'matches' | 'matchTotals' | 'slotBefore'>;

const ALL: Page = { limit: Infinity, offset: 0 };

/** `offset` of a paged route ends here. */
const MAX_OFFSET = 100_000;

/**
 * Hosts of the last hour with their latest snapshots, newest first.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function getMatches(
  store: Store,
  titleId: string,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getMatches>> {
  const head = await titleHeader(store, titleId);
  const { matches } = await store.matches(titleId, lastHours(now, 1), ALL);
  const latest = new Map<string, MatchRun>();
  for (const match of matches) if (!latest.has(match.host)) latest.set(match.host, match);
  return { body: { ...head, matches: [...latest.values()].map(matchRow) }, lastModified: await newestSlot(store, now) };
}

/**
 * Newest first; all without `limit`.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function getMatchHistory(
  store: Store,
  titleId: string,
  { hours, limit = Infinity, offset }: { hours: number; limit?: number | undefined } & Pick<Page, 'offset'>,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getMatchHistory>> {
  const head = await titleHeader(store, titleId);
  const { total, matches } = await store.matches(titleId, lastHours(now, hours), { limit, offset });
  const timestamp = createTimestampFormatter();
  const rows = matches.map((match) => {
    const startedAt = timestamp(match.startedAt);
    const endedAt = timestamp(match.endedAt);
    const { id, ...row } = matchRow(match);
    return { ...row, startedAt, endedAt, peakPlayers: match.peakPlayers, id };
  });
  const next = offset + limit;
  return {
    body: { ...head, hours, total, matches: rows },
    lastModified: await newestSlot(store, now),
    next: next < total && next <= MAX_OFFSET ? { offset: next } : undefined,
  };
}

/**
 * Statistics of the matches that {@link getMatchHistory} lists for these hours. A match counts whole, so its peak may be
 * earlier.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function getMatchStats(
  store: Store,
  titleId: string,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getMatchStats>> {
  const head = await titleHeader(store, titleId);
  const period = lastHours(now, 24);
  const { total: totalMatches, ...totals } = await store.matchTotals(titleId, period);
  const body = { ...head, hours: 24 as const, totalMatches, ...totals };
  return { body, lastModified: await newestSlot(store, now) };
}

async function newestSlot(store: Store, now: EpochSeconds): Promise<EpochSeconds | undefined> {
  return (await store.slotBefore(now + 1)) ?? undefined;
}

function matchRow(match: MatchRun) {
  const { host, players, maxPlayers, endedAt } = match;
  const timestamp = formatTimestamp(endedAt);
  return { hostName: host, currentPlayers: players, maxPlayers, timestamp, id: matchId(match) };
}

/**
 * By UTC day, ascending; `limit` keeps the newest rows.
 *
 * @throws AppError `not-found` for an unknown title
 */
export async function getDailyStats(
  store: Pick<SeriesReader, 'title' | 'titleDays'>,
  titleId: string,
  { days, limit }: { days: number; limit?: number | undefined },
  now: EpochSeconds,
): Promise<Reply<typeof operations.getDailyStats>> {
  const head = await titleHeader(store, titleId);
  const rows = (await store.titleDays(titleId, lastDays(now, days))).slice(-(limit ?? days));
  return { body: { ...head, days, stats: rows.map(dayRow) }, lastModified: rows.at(-1)?.newestSlot };
}

function dayRow({ day, lobbyCount, peakPlayers, uniqueHosts, peakOnline, onlineSum, samples }: TitleDay) {
  return {
    date: formatDate(day),
    lobby_count: lobbyCount,
    peak_players: peakPlayers,
    unique_hosts: uniqueHosts,
    peak_online: peakOnline,
    average_online: round2(onlineSum / samples),
  };
}
