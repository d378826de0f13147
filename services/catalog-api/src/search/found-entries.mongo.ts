import type { MongoStore } from '@lobbystats/mongo-store';
import { boardId } from '../leaderboards/board.ts';
import type { FoundEntry } from '../leaderboards/board-store.ts';
import type { EntryRow, StateRow } from '../leaderboards/board-rows.mongo.ts';

export async function foundEntries(store: MongoStore, rows: readonly EntryRow[]): Promise<FoundEntry[]> {
  const ids = [...new Set(rows.map(boardId))];
  if (ids.length === 0) return [];
  const boards = await store.run(() =>
    store
      .collection<StateRow>('board')
      .find({ _id: { $in: ids } }, { projection: { name: 1 } })
      .toArray(),
  );
  const names = new Map(boards.map(({ _id, name }) => [_id, name]));
  return rows.map((row) => {
    const { titleId, leaderboardId, name: playerName, rank, rating, timeMs } = row;
    const leaderboardName = names.get(boardId(row)) ?? '';
    const board = { titleId, leaderboardId, leaderboardName, isTime: timeMs !== null };
    return { ...board, playerName, rank, rating, timeMs: timeMs ?? 0 };
  });
}

export function inBoardOrder(a: EntryRow, b: EntryRow): number {
  if (a.titleId !== b.titleId) return a.titleId < b.titleId ? -1 : 1;
  return a.leaderboardId - b.leaderboardId || a.rank - b.rank || a.place - b.place;
}
