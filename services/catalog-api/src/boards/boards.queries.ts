import { setImmediate } from 'node:timers/promises';
import { nameKey } from '@lobbystats/contracts';
import { REQUEST_TIMEOUT_MS } from '@lobbystats/service-kit/mongo-steps';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { MongoCatalog } from '../database/open.mongo.ts';
import {
  boardValues,
  ENTRY_COLUMNS,
  keyRange,
  OF_BOARD,
  STATE_COLUMNS,
  stateOf,
  titleKey,
  versionRowId,
  type ContentDocument,
  type LogDocument,
  type StateDocument,
  type StateRow,
  type VersionDocument,
} from './board-rows.ts';
import { boardId, type BoardContent, type BoardKey, type BoardState, type ChangeLog, type Entry } from './board.ts';
import { unpackContent } from './packed-content.ts';

/** Players are found by `nameKey`. Boards that are gone appear in no list. They throw AppError `unavailable`. */
export type BoardQueries = ReturnType<typeof boardsInSqlite>;

interface BoardSizes {
  readonly boards: number;
  readonly entries: number;
}

const NO_ROWS: BoardSizes = { boards: 0, entries: 0 };

interface VersionQuery {
  readonly since: string;
  readonly limit: number;
}

interface BoardVersion {
  readonly day: string;
  readonly content: BoardContent | null;
}

interface PackedRow {
  content: Uint8Array | null;
}

export function boardsInSqlite(sqlite: SqliteStore) {
  const stateOfKey = (key: BoardKey): BoardState | undefined => {
    const row = sqlite.get<StateRow>(`SELECT ${STATE_COLUMNS} FROM board WHERE ${OF_BOARD}`, ...boardValues(key));
    return row && stateOf(row);
  };
  return {
    changeLog: async (): Promise<ChangeLog> =>
      sqlite.get<ChangeLog>(
        'SELECT revision, last_id AS lastId, last_changed_at AS lastChangedAt FROM change_log WHERE only = 1',
      ) ?? { revision: 0, lastId: 0, lastChangedAt: 0 },
    states: async (keys: readonly BoardKey[]) => keys.map(stateOfKey).filter((state) => state !== undefined),

    /** Numbers of boards, gone ones included, and of their entries. */
    sizes: async () =>
      sqlite.get<BoardSizes>('SELECT count(*) AS boards, ifnull(sum(entry_count), 0) AS entries FROM board') ?? NO_ROWS,

    state: async (key: BoardKey) => {
      const state = stateOfKey(key);
      return state?.gone === false ? state : undefined;
    },
    boardsOf: async (titleId: string) =>
      sqlite
        .all<StateRow>(
          `SELECT ${STATE_COLUMNS} FROM board WHERE title_id = ? ORDER BY leaderboard_id`,
          titleKey(titleId),
        )
        .map(stateOf),
    /** In order; all without a limit. Empty for an unknown or gone board. */
    entries: async (key: BoardKey, page?: { offset: number; limit?: number }) =>
      sqlite.all<Entry>(
        `SELECT ${ENTRY_COLUMNS} FROM entry WHERE ${OF_BOARD} AND place >= ? ORDER BY place LIMIT ?`,
        ...boardValues(key),
        page?.offset ?? 0,
        page?.limit ?? -1,
      ),
    positionOf: async (key: BoardKey, playerKey: string) =>
      sqlite.get<{ place: number | null }>(
        `SELECT min(place) AS place FROM entry INDEXED BY entry_by_player WHERE player_key = ? AND ${OF_BOARD}`,
        playerKey,
        ...boardValues(key),
      )?.place ?? undefined,
    /** The last version up to that UTC day (`YYYY-MM-DD`). `gone`: the board was gone; undefined: not seen yet. */
    versionAt: async (key: BoardKey, day: string): Promise<BoardContent | 'gone' | undefined> => {
      const version = sqlite.get<PackedRow>(
        `SELECT content FROM board_version WHERE ${OF_BOARD} AND day <= ? ORDER BY day DESC LIMIT 1`,
        ...boardValues(key),
        day,
      );
      if (version === undefined) return undefined;
      return version.content === null ? 'gone' : unpackContent(version.content);
    },
    /** Newest first, from the UTC day `since`. `content` is null where the board was gone. */
    async *versions(key: BoardKey, { since, limit }: VersionQuery): AsyncGenerator<BoardVersion> {
      const found = sqlite.all<{ day: string; id: number }>(
        `SELECT day, version_id AS id FROM board_version WHERE ${OF_BOARD} AND day >= ? ORDER BY day DESC LIMIT ?`,
        ...boardValues(key),
        since,
        limit,
      );
      for (const { day, id } of found) {
        const row = sqlite.get<PackedRow>('SELECT content FROM board_version WHERE version_id = ?', id);
        yield { day, content: row?.content ? unpackContent(row.content) : null };
        await setImmediate();
      }
    },
    lastContent: async (key: BoardKey) => {
      const row = sqlite.get<{ content: Uint8Array }>(
        `SELECT content FROM gone_board WHERE ${OF_BOARD}`,
        ...boardValues(key),
      );
      return row && unpackContent(row.content);
    },
  };
}

const VERSIONS_PER_BATCH = 50;

export function boardsInMongo({ store }: Pick<MongoCatalog, 'store'>) {
  const logs = store.collection<LogDocument>('catalog');
  const boards = store.collection<StateDocument>('board');
  const contents = store.collection<ContentDocument>('board_content');
  const versions = store.collection<VersionDocument>('board_version');

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
      return found.map(fromDocument);
    },
    sizes: async () => {
      const sums = { _id: null, boards: { $sum: 1 }, entries: { $sum: '$entryCount' } };
      const [sizes = NO_ROWS] = await store.run(() => boards.aggregate<BoardSizes>([{ $group: sums }]).toArray());
      return { boards: sizes.boards, entries: sizes.entries };
    },

    state: async (key) => {
      const row = await store.run(() => boards.findOne({ _id: boardId(key), gone: false }), REQUEST_TIMEOUT_MS);
      return row === null ? undefined : fromDocument(row);
    },
    boardsOf: async (titleId) => {
      const found = await store.run(() =>
        boards
          .find({ titleId: { $eq: titleId } })
          .sort({ leaderboardId: 1 })
          .toArray(),
      );
      return found.map(fromDocument);
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
  } satisfies BoardQueries;
}

function fromDocument({ _id, ...state }: StateDocument): BoardState {
  return state;
}
