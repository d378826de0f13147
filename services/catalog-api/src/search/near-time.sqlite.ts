import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { BoardStore, FoundEntry } from '../leaderboards/board-store.ts';
import { foundEntry, inBoardOrder, selectRows, type FoundRow } from './found-rows.sqlite.ts';
import { titleKey } from '../titles/title-key.sqlite.ts';

type NearTimeQuery = Parameters<BoardStore['nearTime']>[0];

/** Scans the index outward on both sides up to the limit. */
export function nearTime(sqlite: SqliteStore, { timeMs, tolerance, titleId, limit }: NearTimeQuery): FoundEntry[] {
  const ofTitle = titleId === undefined ? [] : [titleKey(titleId)];
  const between = `FROM entry
    WHERE ${titleId === undefined ? '' : 'title_id = ? AND'} time_ms IS NOT NULL AND time_ms >= ? AND time_ms <= ?`;
  const found = `SELECT title_id, leaderboard_id, entry_no ${between}`;
  const inOrder = `ORDER BY time_ms, ${titleId === undefined ? 'title_id,' : ''} leaderboard_id, rank, place LIMIT ?`;

  const farthest = sqlite.get<{ distance: number }>(
    `SELECT * FROM (SELECT time_ms - ? AS distance ${between} ORDER BY time_ms LIMIT ?)
      UNION ALL SELECT * FROM (SELECT ? - time_ms AS distance ${between} ORDER BY time_ms DESC LIMIT ?)
      ORDER BY distance LIMIT 1 OFFSET ?`,
    ...[timeMs, ...ofTitle, timeMs, timeMs + tolerance, limit],
    ...[timeMs, ...ofTitle, timeMs - tolerance, timeMs - 1, limit],
    limit - 1,
  )?.distance;
  const reach = farthest === undefined ? tolerance : farthest - 1;
  const nearer = sqlite.all<FoundRow>(selectRows(found), ...ofTitle, timeMs - reach, timeMs + reach);
  const distance = (row: FoundRow) => Math.abs(row.timeMs - timeMs);
  nearer.sort((a, b) => distance(a) - distance(b) || inBoardOrder(a, b));
  if (farthest === undefined) return nearer.map(foundEntry);

  const edges = farthest === 0 ? [timeMs] : [timeMs - farthest, timeMs + farthest];
  const onEdge = edges.flatMap((time) =>
    sqlite.all<FoundRow>(selectRows(`${found} ${inOrder}`), ...ofTitle, time, time, limit - nearer.length),
  );
  return [...nearer, ...onEdge.sort(inBoardOrder)].slice(0, limit).map(foundEntry);
}
