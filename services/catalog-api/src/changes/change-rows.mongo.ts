import { chunk } from '@lobbystats/concurrency';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type { StoredChange } from '../leaderboards/board-store.ts';
import { countId, ALL_TITLES, type ChangeRow, type PendingChangesRow } from '../leaderboards/board-rows.mongo.ts';

const deflateRawAsync = promisify(deflateRaw);

export function changeRow({ id, ...change }: StoredChange): ChangeRow {
  const { titleId, leaderboardId, type, playerName, isTime, changedAt } = change;
  const { oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs } = change;
  const values = { oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs };
  return { _id: id, type, titleId, leaderboardId, playerName, isTime, ...values, changedAt };
}

export function changeOf({ _id, ...change }: ChangeRow): StoredChange {
  return { id: _id, ...change };
}

export function countsOf(changes: readonly StoredChange[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { titleId, type } of changes) {
    for (const title of [titleId, ALL_TITLES]) {
      const id = countId(title, type);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}

export async function packChanges(changes: readonly StoredChange[], size: number): Promise<PendingChangesRow[]> {
  const rows: PendingChangesRow[] = [];
  for (const some of chunk(changes, size)) {
    rows.push({ _id: some[0]?.id ?? 0, packed: await deflateRawAsync(JSON.stringify(some), { level: 1 }) });
  }
  return rows;
}

export function unpackChanges({ packed }: PendingChangesRow): StoredChange[] {
  return JSON.parse(inflateRawSync(packed).toString()) as StoredChange[];
}
