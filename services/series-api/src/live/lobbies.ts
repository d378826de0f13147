import {
  compareCodePoints,
  formatTimestamp,
  matchId,
  type EpochSeconds,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import type { MatchRun } from '../matches/match-runs.ts';
import type { RunQueries } from '../matches/runs.queries.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { TitleQueries } from '../titles/titles.queries.ts';
import { getLatestActivity, LOBBIES_MAX_AGE_SECONDS } from './activity.ts';
import type { LobbyQueries } from './lobbies.queries.ts';

type Store = SlotQueries & LobbyQueries & RunQueries & TitleQueries;

interface Asked {
  readonly titleId?: string | undefined;
  readonly sort: 'players' | 'newest';
  readonly limit: number;
  readonly offset: number;
}

/** The lobbies that {@link getLatestActivity} counts, of games that the catalog knows. */
export async function listLobbies(
  store: Store,
  { titleId, sort, limit, offset }: Asked,
  now: EpochSeconds,
): Promise<Reply<typeof operations.listLobbies>> {
  const { body: activity, lastModified: slot } = await getLatestActivity(store, { titleId }, now);
  const page = (total: number) => ({ total, limit, offset, hasMore: offset + limit < total });
  if (slot === undefined) return { body: { slot: null, lobbies: [], ...page(0) } };
  const [runs, names] = await Promise.all([
    store.runsBetween(slot - LOBBIES_MAX_AGE_SECONDS, slot, titleId),
    titleId === undefined ? store.titleNames() : nameOf(store, titleId),
  ]);
  const played = activity.titles.filter(({ activeLobbies }) => activeLobbies > 0);
  const hosts = new Map(played.map((title) => [title.titleId, new Set(title.lobbyHostNames)]));
  const latest = new Map<string, MatchRun>();
  for (const run of runs) {
    if (hosts.get(run.titleId)?.has(run.host) !== true) continue;
    const known = latest.get(run.titleId + run.host);
    if (known === undefined || known.endedAt <= run.endedAt) latest.set(run.titleId + run.host, run);
  }
  const open = [...latest.values()].filter((run) => (names.get(run.titleId) ?? '') !== '').sort(orders[sort]);
  const lobbies = open.slice(offset, offset + limit).map((run) => ({
    titleId: run.titleId,
    gameName: names.get(run.titleId) ?? '',
    hostName: run.host,
    currentPlayers: run.players,
    maxPlayers: run.maxPlayers,
    openedAt: formatTimestamp(run.startedAt),
    timestamp: formatTimestamp(run.endedAt),
    id: matchId(run),
  }));
  const next = offset + limit;
  return {
    body: { slot: formatTimestamp(slot), lobbies, ...page(open.length) },
    lastModified: slot,
    next: next < open.length ? { offset: next } : undefined,
  };
}

async function nameOf(store: Store, titleId: string): Promise<ReadonlyMap<string, string>> {
  return new Map([[titleId, (await store.title(titleId))?.name ?? '']]);
}

type Order = (a: MatchRun, b: MatchRun) => number;

const byNewest: Order = (a, b) =>
  b.startedAt - a.startedAt || compareCodePoints(a.titleId, b.titleId) || compareCodePoints(a.host, b.host);

const orders: Readonly<Record<Asked['sort'], Order>> = {
  newest: byNewest,
  players: (a, b) => b.players - a.players || byNewest(a, b),
};
