import { setImmediate } from 'node:timers/promises';
import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { BoardStore } from '../leaderboards/board-store.ts';
import { FOUND_COLUMNS, foundEntry, inBoardOrder, type FoundRow } from './found-rows.sqlite.ts';
import { nearTime } from './near-time.sqlite.ts';
import { playerBatches } from './player-batches.sqlite.ts';
import { titleKey } from '../titles/title-key.sqlite.ts';

export function entrySearch(sqlite: SqliteStore) {
  return {
    nearTime: async (query) => nearTime(sqlite, query),
    ofPlayers: async ({ limit = Infinity, ...query }) => {
      const found: FoundRow[] = [];
      for await (const rows of playerBatches(sqlite, query)) {
        found.push(...rows);
        if (found.length >= limit) break;
      }
      return found.slice(0, limit).map(foundEntry);
    },
    async *timesOfPlayers(query) {
      for await (const rows of playerBatches(sqlite, query, 'time_ms IS NOT NULL')) yield rows.map(foundEntry);
    },
    atRanks: async ({ pairs, titleId }) => {
      const ranksOf = Map.groupBy(pairs, ({ key }) => key);
      const found: FoundRow[] = [];
      for (const [key, ofKey] of ranksOf) {
        const ranks = [...new Set(ofKey.map(({ rank }) => rank))];
        found.push(...entriesAtRanks(sqlite, { key, ranks, titleId }));
        await setImmediate();
      }
      return found.sort(inBoardOrder).map(foundEntry);
    },
  } satisfies Partial<BoardStore>;
}

/** Forces the index of players: ranks are not indexed, and SQLite would scan all entries of a title. */
function entriesAtRanks(
  sqlite: SqliteStore,
  { key, ranks, titleId }: { key: string; ranks: readonly number[]; titleId: string | undefined },
): FoundRow[] {
  const inTitle = titleId === undefined ? [] : [titleKey(titleId)];
  return sqlite.all<FoundRow>(
    `SELECT ${FOUND_COLUMNS} FROM entry INDEXED BY entry_by_player CROSS JOIN board USING (title_id, leaderboard_id)
      WHERE player_key = ?${inTitle.length > 0 ? ' AND entry.title_id = ?' : ''} AND rank IN (${ranks.map(() => '?').join(', ')})`,
    key,
    ...inTitle,
    ...ranks,
  );
}
