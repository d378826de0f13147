import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { ALL_TITLES } from '../changes/changes.sqlite.ts';
import { titleKey } from '../leaderboards/board-reads.sqlite.ts';
import { namedBoard, updateBoardWords, updatePlayerWords } from '../search/name-search.sqlite.ts';
import type { ChangeRange, TitleContentStore } from './title-contents.ts';

export function sqliteTitleContents(sqlite: SqliteStore): TitleContentStore {
  const countOf = (sql: string, key: number) => sqlite.get<{ n: number }>(sql, key)?.n ?? 0;
  return {
    count: async (titleId) => {
      const key = titleKey(titleId);
      return {
        boards: countOf('SELECT count(*) AS n FROM board WHERE title_id = ?', key),
        changes: countOf('SELECT ifnull(sum(count), 0) AS n FROM change_count WHERE title_id = ?', key),
      };
    },
    remove: async (titleId) =>
      sqlite.transaction(() => {
        const key = titleKey(titleId);
        // Commits that were planned on the boards of before fail.
        sqlite.run('UPDATE change_log SET revision = revision + 1');
        const boards = sqlite.all<{ id: number }>('SELECT leaderboard_id AS id FROM board WHERE title_id = ?', key);
        for (const { id } of boards) updateBoardWords(sqlite, [key, id], [namedBoard(sqlite, [key, id]), undefined]);
        const players = 'SELECT player_key AS player, count(*) AS n FROM entry WHERE title_id = ? GROUP BY player_key';
        const entries = sqlite.all<{ player: string; n: number }>(players, key);
        for (const table of ['entry', 'board', 'board_version', 'gone_board', 'change']) {
          sqlite.run(`DELETE FROM ${table} WHERE title_id = ?`, key);
        }
        updatePlayerWords(sqlite, new Map(entries.map(({ player, n }) => [player, -n])));
        const counts = sqlite.all<{ type: string; count: number }>(
          'SELECT type, count FROM change_count WHERE title_id = ?',
          key,
        );
        const less = 'UPDATE change_count SET count = count - ? WHERE title_id = ? AND type = ?';
        for (const { type, count } of counts) sqlite.run(less, count, ALL_TITLES, type);
        sqlite.run('DELETE FROM change_count WHERE title_id = ?', key);
        sqlite.run('DELETE FROM icon WHERE title_id = ?', titleId);
      }),
    countChanges: async (range) => countsIn(sqlite, range).reduce((sum, { count }) => sum + count, 0),
    removeChanges: async (range) =>
      sqlite.transaction(() => {
        const counts = countsIn(sqlite, range);
        const removed = sqlite.run(`DELETE FROM change WHERE ${IN_RANGE}`, range.fromInclusive, range.toExclusive);
        const less = 'UPDATE change_count SET count = count - ? WHERE title_id IN (?, ?) AND type = ?';
        for (const { title, type, count } of counts) sqlite.run(less, count, title, ALL_TITLES, type);
        // Titles with a counter are those with changes.
        sqlite.run('DELETE FROM change_count WHERE count = 0 AND title_id <> ?', ALL_TITLES);
        return removed;
      }),
  };
}

const IN_RANGE = 'changed_at >= ? AND changed_at < ?';

function countsIn(sqlite: SqliteStore, { fromInclusive, toExclusive }: ChangeRange) {
  return sqlite.all<{ title: number; type: string; count: number }>(
    `SELECT title_id AS title, type, count(*) AS count FROM change WHERE ${IN_RANGE} GROUP BY title_id, type`,
    fromInclusive,
    toExclusive,
  );
}
