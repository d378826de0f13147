import type { MongoStore } from '@lobbystats/mongo-store';
import { boardId } from '../leaderboards/board.ts';
import type { BoardStore } from '../leaderboards/board-store.ts';
import type { EntryRow } from '../leaderboards/board-rows.mongo.ts';
import { firstRowsWithTies, type IndexScan } from './first-rows.mongo.ts';
import { foundEntries, inBoardOrder } from './found-entries.mongo.ts';
import { nearTime } from './near-time.mongo.ts';

const BATCH_ROWS = 1000;

export function entrySearch(store: MongoStore) {
  const entries = store.collection<EntryRow>('entry');
  return {
    nearTime: async (query) => nearTime(store, query),
    ofPlayers: async ({ limit, ...query }) => {
      const rows = await firstRowsWithTies(store, playerScan(query), limit);
      return foundEntries(store, rows.sort(inBoardOrder).slice(0, limit));
    },
    async *timesOfPlayers(query) {
      const { index, filter, order } = playerScan(query);
      const sort = Object.fromEntries(order.map((field) => [field, 1] as const));
      const times = { ...filter, timeMs: { $gte: 0 } };
      const cursor = entries.find(times, { hint: index, batchSize: BATCH_ROWS }).sort(sort);
      try {
        let rest: EntryRow[] = [];
        while (await store.run(() => cursor.hasNext())) {
          const rows = [...rest, ...cursor.readBufferedDocuments()];
          const last = rows.map(boardId).at(-1);
          const whole = rows.findLastIndex((row) => boardId(row) !== last) + 1;
          yield await foundEntries(store, rows.slice(0, whole).sort(inBoardOrder));
          rest = rows.slice(whole);
        }
        yield await foundEntries(store, rest.sort(inBoardOrder));
      } finally {
        await cursor.close();
      }
    },
    atRanks: async ({ pairs, titleId }) => {
      const requestedPairs = new Set(pairs.map(pairKey));
      const filter = {
        playerKey: { $in: pairs.map(({ key }) => key) },
        rank: { $in: pairs.map(({ rank }) => rank) },
        ...(titleId !== undefined && { titleId: { $eq: titleId } }),
      };
      const rows = await store.run(() => entries.find(filter, { hint: 'by_player' }).toArray());
      const fitting = rows.filter(({ playerKey: key, rank }) => requestedPairs.has(pairKey({ key, rank })));
      return foundEntries(store, fitting.sort(inBoardOrder));
    },
  } satisfies Partial<BoardStore>;
}

function playerScan({ keys, titleId }: { keys: readonly string[]; titleId?: string }): IndexScan {
  const ofKeys = { playerKey: { $in: [...keys] } };
  return titleId === undefined
    ? { index: 'by_player', filter: ofKeys, order: ['titleId', 'leaderboardId'] }
    : { index: 'by_player', filter: { ...ofKeys, titleId: { $eq: titleId } }, order: ['leaderboardId'] };
}

function pairKey({ key, rank }: { key: string; rank: number }): string {
  return `${rank} ${key}`;
}
