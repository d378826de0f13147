import type { StoredChange } from '../../domain/board-store.ts';
import { countId, EVERY_TITLE, type ChangeRow } from './board-rows.ts';

/** The row of a change. */
export function changeRow({ id, ...change }: StoredChange): ChangeRow {
  const { titleId, leaderboardId, type, playerName, isTime, changedAt } = change;
  const { oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs } = change;
  const values = { oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs };
  return { _id: id, type, titleId, leaderboardId, playerName, isTime, ...values, changedAt };
}

/** The change of a row. */
export function changeOf({ _id, ...change }: ChangeRow): StoredChange {
  return { id: _id, ...change };
}

/** By how much these changes raise each count. */
export function countsOf(changes: readonly StoredChange[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { titleId, type } of changes) {
    for (const title of [titleId, EVERY_TITLE]) {
      const id = countId(title, type);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}
