import { formatTimestamp, type EpochSeconds, type operations, type Reply } from '@lobbystats/contracts';
import { reply } from './reply.ts';
import type { MatchRun } from './match-runs.ts';
import { lastHours } from './periods.ts';
import type { Page, SeriesReader } from './series-reader.ts';
import { createTimestampFormatter } from './timestamp-formatter.ts';
import { titleHeader } from './title-header.ts';

type Store = Pick<SeriesReader, 'title' | 'matches' | 'matchTotals' | 'slotBefore'>;

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
  const { matches } = await store.matches(titleId, lastHours(now, 1), { limit: Infinity, offset: 0 });
  const latest = new Map<string, MatchRun>();
  for (const match of matches) if (!latest.has(match.host)) latest.set(match.host, match);
  return reply({ ...head, matches: [...latest.values()].map(matchRow) }, await store.slotBefore(now + 1));
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
    return { ...matchRow(match), startedAt, endedAt, peakPlayers: match.peakPlayers };
  });
  const next = offset + limit;
  return {
    ...reply({ ...head, hours, total, matches: rows }, await store.slotBefore(now + 1)),
    ...(next < total && next <= MAX_OFFSET && { next: { offset: next } }),
  };
}

/** @throws AppError `not-found` for an unknown title */
export async function getMatchStats(
  store: Store,
  titleId: string,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getMatchStats>> {
  const head = await titleHeader(store, titleId);
  const { matches, hosts, peakPlayers } = await store.matchTotals(titleId, lastHours(now, 24));
  const body = { ...head, hours: 24 as const, totalMatches: matches, peakPlayers, uniqueHosts: hosts };
  return reply(body, await store.slotBefore(now + 1));
}

function matchRow({ host, players, maxPlayers, endedAt }: MatchRun) {
  return { hostName: host, currentPlayers: players, maxPlayers, timestamp: formatTimestamp(endedAt) };
}
