import { nameKey, type EpochSeconds } from '@lobbystats/contracts';
import type { World } from '@lobbystats/simulator';

/** An entry of a player on a board. */
export interface ExpectedEntry {
  readonly titleId: string;
  readonly leaderboardId: number;
  readonly leaderboardName: string;
  readonly playerName: string;
  readonly rank: number;
  readonly rating: string;
  readonly timeMs: number;
  readonly isTime: boolean;
}

/** Entries of one pass by name key, ordered by rank, title and board. */
export type EntriesByPlayer = ReadonlyMap<string, readonly ExpectedEntry[]>;

/** The entries of all players in a pass. */
export function entriesAt(world: World, pass: EpochSeconds): EntriesByPlayer {
  const entriesByPlayer = new Map<string, ExpectedEntry[]>();
  for (const key of world.boardKeysAt(pass)) {
    const board = world.board(pass, key.titleId, key.id);
    for (const entry of board?.entries ?? []) {
      const { rank, name, rating, timeMs } = entry;
      const of = entriesByPlayer.get(nameKey(name)) ?? [];
      entriesByPlayer.set(nameKey(name), of);
      const isTime = board?.isTime === true;
      const leaderboardName = board?.name ?? '';
      of.push({
        titleId: key.titleId,
        leaderboardId: key.id,
        leaderboardName,
        playerName: name,
        rank,
        rating,
        timeMs,
        isTime,
      });
    }
  }
  for (const of of entriesByPlayer.values()) of.sort(byRank);
  return entriesByPlayer;
}

/** The best rank on each board, by board. */
export function bestRanks(entries: readonly ExpectedEntry[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const { titleId, leaderboardId, rank } of entries) {
    const board = `${titleId}:${leaderboardId}`;
    best.set(board, Math.min(best.get(board) ?? Infinity, rank));
  }
  return best;
}

function byRank(a: ExpectedEntry, b: ExpectedEntry): number {
  return a.rank - b.rank || compare(a.titleId, b.titleId) || a.leaderboardId - b.leaderboardId;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
