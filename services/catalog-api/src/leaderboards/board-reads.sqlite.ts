import { setImmediate } from 'node:timers/promises';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { BoardKey, BoardState, Entry } from './board.ts';
import { NO_ROWS, type BoardSizes } from './board-growth.ts';
import type { BoardStore, ChangeLog } from './board-store.ts';
import { unpackContent } from './packed-content.node.ts';

export function titleKey(titleId: string): number {
  return Number.parseInt(titleId, 16);
}

export function titleIdOf(key: number): string {
  return key.toString(16).padStart(8, '0');
}

/** Takes {@link boardValues}. */
export const OF_BOARD = 'title_id = ? AND leaderboard_id = ?';

export function boardValues({ titleId, leaderboardId }: BoardKey): [number, number] {
  return [titleKey(titleId), leaderboardId];
}

export const STATE_COLUMNS = `title_id AS titleKey, leaderboard_id AS leaderboardId, name, is_time AS isTime,
  entry_count AS entryCount, gone, version, pass, changed_at AS changedAt, observed_at AS observedAt`;

export interface StateRow extends Omit<BoardState, 'titleId' | 'isTime' | 'gone'> {
  titleKey: number;
  isTime: number;
  gone: number;
}

export function stateOf({ titleKey, isTime, gone, ...row }: StateRow): BoardState {
  return { titleId: titleIdOf(titleKey), ...row, isTime: isTime === 1, gone: gone === 1 };
}

interface PackedRow {
  content: Uint8Array | null;
}

export const ENTRY_COLUMNS = 'rank, name, rating, ifnull(time_ms, 0) AS timeMs';

export function boardReads(sqlite: SqliteStore) {
  const stateRow = (key: BoardKey): BoardState | undefined => {
    const row = sqlite.get<StateRow>(`SELECT ${STATE_COLUMNS} FROM board WHERE ${OF_BOARD}`, ...boardValues(key));
    return row && stateOf(row);
  };
  return {
    changeLog: async () =>
      sqlite.get<ChangeLog>(
        'SELECT revision, last_id AS lastId, last_changed_at AS lastChangedAt FROM change_log WHERE only = 1',
      ) ?? { revision: 0, lastId: 0, lastChangedAt: 0 },
    states: async (keys) => keys.map(stateRow).filter((state) => state !== undefined),

    sizes: async () =>
      sqlite.get<Omit<BoardSizes, 'changes'>>(
        'SELECT count(*) AS boards, ifnull(sum(entry_count), 0) AS entries FROM board',
      ) ?? NO_ROWS,

    state: async (key) => {
      const state = stateRow(key);
      return state?.gone === false ? state : undefined;
    },
    boardsOf: async (titleId) =>
      sqlite
        .all<StateRow>(
          `SELECT ${STATE_COLUMNS} FROM board WHERE title_id = ? ORDER BY leaderboard_id`,
          titleKey(titleId),
        )
        .map(stateOf),
    entries: async (key, page) =>
      sqlite.all<Entry>(
        `SELECT ${ENTRY_COLUMNS} FROM entry WHERE ${OF_BOARD} AND place >= ? ORDER BY place LIMIT ?`,
        ...boardValues(key),
        page?.offset ?? 0,
        page?.limit ?? -1,
      ),
    positionOf: async (key, playerKey) =>
      sqlite.get<{ place: number | null }>(
        `SELECT min(place) AS place FROM entry INDEXED BY entry_by_player WHERE player_key = ? AND ${OF_BOARD}`,
        playerKey,
        ...boardValues(key),
      )?.place ?? undefined,
    versionAt: async (key, day) => {
      const version = sqlite.get<PackedRow>(
        `SELECT content FROM board_version WHERE ${OF_BOARD} AND day <= ? ORDER BY day DESC LIMIT 1`,
        ...boardValues(key),
        day,
      );
      if (version === undefined) return undefined;
      return version.content === null ? 'gone' : unpackContent(version.content);
    },
    async *versions(key, { since, limit }) {
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
    lastContent: async (key) => {
      const row = sqlite.get<{ content: Uint8Array }>(
        `SELECT content FROM gone_board WHERE ${OF_BOARD}`,
        ...boardValues(key),
      );
      return row && unpackContent(row.content);
    },
  } satisfies Partial<BoardStore>;
}
