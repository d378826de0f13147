import { setImmediate } from 'node:timers/promises';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { BoardStore, FoundEntry } from '../leaderboards/board-store.ts';
import {
  FOUND_COLUMNS,
  foundEntry,
  inBoardOrder,
  playerBatches,
  selectRows,
  type FoundRow,
} from './entry-scans.sqlite.ts';
import { titleKey } from '../leaderboards/board-reads.sqlite.ts';

export function entrySearch(sqlite: SqliteStore) {
  return {
    nearTime: async (query) => nearTime(sqlite, query),
    countNearTime: async ({ timeMs, tolerance, titleIds }) => {
      const sql = `SELECT count(*) AS n FROM entry INDEXED BY entry_by_title_and_time
        WHERE title_id = ? AND time_ms IS NOT NULL AND time_ms >= ? AND time_ms <= ?`;
      const range = [timeMs - tolerance, timeMs + tolerance] as const;
      return titleIds.reduce((sum, id) => sum + (sqlite.get<{ n: number }>(sql, titleKey(id), ...range)?.n ?? 0), 0);
    },
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

type NearTimeQuery = Parameters<BoardStore['nearTime']>[0];

/** Scans the index outward on both sides up to the limit. */
function nearTime(sqlite: SqliteStore, { timeMs, tolerance, from = 0, titleId, limit }: NearTimeQuery): FoundEntry[] {
  const ofTitle = titleId === undefined ? [] : [titleKey(titleId)];
  const between = `FROM entry
    WHERE ${titleId === undefined ? '' : 'title_id = ? AND'} time_ms IS NOT NULL AND time_ms >= ? AND time_ms <= ?`;
  const found = `SELECT title_id, leaderboard_id, entry_no ${between}`;
  const inOrder = `ORDER BY time_ms, ${titleId === undefined ? 'title_id,' : ''} leaderboard_id, rank, place LIMIT ?`;

  const below = timeMs - Math.max(1, from);
  const farthest = sqlite.get<{ distance: number }>(
    `SELECT * FROM (SELECT time_ms - ? AS distance ${between} ORDER BY time_ms LIMIT ?)
      UNION ALL SELECT * FROM (SELECT ? - time_ms AS distance ${between} ORDER BY time_ms DESC LIMIT ?)
      ORDER BY distance LIMIT 1 OFFSET ?`,
    ...[timeMs, ...ofTitle, timeMs + from, timeMs + tolerance, limit],
    ...[timeMs, ...ofTitle, timeMs - tolerance, below, limit],
    limit - 1,
  )?.distance;
  const reach = farthest === undefined ? tolerance : farthest - 1;
  const nearer = [[timeMs + from, timeMs + reach] as const, [timeMs - reach, below] as const].flatMap((range) =>
    sqlite.all<FoundRow>(selectRows(found), ...ofTitle, ...range),
  );
  const distance = (row: FoundRow) => Math.abs(row.timeMs - timeMs);
  nearer.sort((a, b) => distance(a) - distance(b) || inBoardOrder(a, b));
  if (farthest === undefined) return nearer.map(foundEntry);

  const edges = farthest === 0 ? [timeMs] : [timeMs - farthest, timeMs + farthest];
  const onEdge = edges.flatMap((time) =>
    sqlite.all<FoundRow>(selectRows(`${found} ${inOrder}`), ...ofTitle, time, time, limit - nearer.length),
  );
  return [...nearer, ...onEdge.sort(inBoardOrder)].slice(0, limit).map(foundEntry);
}
