import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { StoredChange } from '../leaderboards/board-store.ts';
import { titleKey } from '../titles/title-key.sqlite.ts';

export const ALL_TITLES = -1;

const ADD_CHANGE = 'INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const ADD_COUNT = `INSERT INTO change_count (title_id, type, count) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;

export function addChanges(sqlite: SqliteStore, changes: readonly StoredChange[]): void {
  const counts = new Map<string, { title: number; type: string; count: number }>();
  const count = (title: number, type: string) => {
    const counted = counts.get(`${title} ${type}`);
    if (counted === undefined) counts.set(`${title} ${type}`, { title, type, count: 1 });
    else counted.count += 1;
  };
  for (const change of changes) {
    const { id, type, titleId, leaderboardId, playerName, isTime, oldRank, newRank } = change;
    const { oldRating, newRating, oldTimeMs, newTimeMs, changedAt } = change;
    const title = titleKey(titleId);
    const what = [id, type, title, leaderboardId, playerName, Number(isTime)] as const;
    sqlite.run(ADD_CHANGE, ...what, oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs, changedAt);
    count(title, type);
    count(ALL_TITLES, type);
  }
  for (const counted of counts.values()) sqlite.run(ADD_COUNT, counted.title, counted.type, counted.count);
}
