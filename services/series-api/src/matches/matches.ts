import { formatTimestamp, matchId, type EpochSeconds, type operations, type Reply } from '@lobbystats/contracts';
import { lastHours } from '../series/periods.ts';
import { createTimestampFormatter } from '../series/points.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import { titleHeader, type TitleQueries } from '../titles/titles.queries.ts';
import type { MatchQueries, Page } from './matches.queries.ts';
import type { MatchRun } from './match-runs.ts';

type Store = TitleQueries & SlotQueries & MatchQueries;

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
