import { nameKey } from '@lobbystats/contracts';
import { REQUEST_TIMEOUT_MS } from '@lobbystats/service-kit/mongo-steps';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import { boardId, type BoardKey, type BoardState } from './board.ts';
import { NO_ROWS, type BoardSizes } from './board-growth.ts';
import type { BoardStore } from './board-store.ts';
import { unpackContent } from './packed-content.node.ts';
import { keyRange, versionRowId } from './board-rows.mongo.ts';
import type { ContentRow, LogRow, StateRow, VersionRow } from './board-rows.mongo.ts';

const VERSIONS_PER_BATCH = 50;

export function boardReads(store: MongoStore) {
  const logs = store.collection<LogRow>('catalog');
  const boards = store.collection<StateRow>('board');
  const contents = store.collection<ContentRow>('board_content');
  const versions = store.collection<VersionRow>('board_version');

  const contentOf = async (key: BoardKey, isGone: boolean) => {
    const row = await store.run(() => contents.findOne({ _id: boardId(key), gone: isGone }));
    return row === null ? undefined : unpackContent(row.content);
  };
  return {
    changeLog: async () => {
      const row = await store.run(() => logs.findOne({ _id: 'boards' }), REQUEST_TIMEOUT_MS);
      return { revision: row?.revision ?? 0, lastId: row?.lastId ?? 0, lastChangedAt: row?.lastChangedAt ?? 0 };
    },
    states: async (keys) => {
      const ids = keys.map(boardId);
      const found = await store.run(() => boards.find({ _id: { $in: ids } }).toArray());
      return found.map(stateOf);
    },
    sizes: async () => {
      const sums = { _id: null, boards: { $sum: 1 }, entries: { $sum: '$entryCount' } };
      const [sizes = NO_ROWS] = await store.run(() => boards.aggregate<BoardSizes>([{ $group: sums }]).toArray());
      return { boards: sizes.boards, entries: sizes.entries };
    },

    state: async (key) => {
      const row = await store.run(() => boards.findOne({ _id: boardId(key), gone: false }), REQUEST_TIMEOUT_MS);
      return row === null ? undefined : stateOf(row);
    },
    boardsOf: async (titleId) => {
      const found = await store.run(() =>
        boards
          .find({ titleId: { $eq: titleId } })
          .sort({ leaderboardId: 1 })
          .toArray(),
      );
      return found.map(stateOf);
    },
    entries: async (key, { offset, limit = Infinity } = { offset: 0 }) => {
      const content = await contentOf(key, false);
      return content?.entries.slice(offset, offset + limit) ?? [];
    },
    // Entry rows lag behind the content.
    positionOf: async (key, playerKey) => {
      const content = await contentOf(key, false);
      const position = content?.entries.findIndex(({ name }) => nameKey(name) === playerKey);
      return position === -1 ? undefined : position;
    },
    versionAt: async (key, day) => {
      const board = boardId(key);
      const until = { ...keyRange(board), $lte: versionRowId(board, day) };
      const row = await store.run(() => versions.findOne({ _id: until }, { sort: { _id: -1 } }));
      if (row === null) return undefined;
      return row.content === null ? 'gone' : unpackContent(row.content);
    },
    async *versions(key, { since, limit }) {
      const board = boardId(key);
      const range = { $gte: versionRowId(board, since), $lt: keyRange(board).$lt };
      const cursor = versions.find({ _id: range }, { batchSize: VERSIONS_PER_BATCH }).sort({ _id: -1 }).limit(limit);
      try {
        while (await store.run(() => cursor.hasNext())) {
          for (const { _id, content } of cursor.readBufferedDocuments()) {
            yield { day: _id.slice(board.length + 1), content: content === null ? null : unpackContent(content) };
          }
        }
      } finally {
        await cursor.close();
      }
    },
    lastContent: async (key) => contentOf(key, true),
  } satisfies Partial<BoardStore>;
}

function stateOf({ _id, ...state }: StateRow): BoardState {
  return state;
}
