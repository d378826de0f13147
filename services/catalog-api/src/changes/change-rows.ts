import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { nameKey } from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import { titleIdOf } from '../boards/board-rows.ts';
import type { Beaten, StoredChange } from './stored-change.ts';

// Rows of SQLite.

export const CHANGE_COLUMNS = `id, type, title_id AS titleKey, leaderboard_id AS leaderboardId, player_name AS playerName,
  is_time AS isTime, old_rank AS oldRank, new_rank AS newRank, old_rating AS oldRating, new_rating AS newRating,
  old_time_ms AS oldTimeMs, new_time_ms AS newTimeMs, changed_at AS changedAt, beaten`;

export interface ChangeRow extends Omit<StoredChange, 'titleId' | 'isTime' | 'beaten'> {
  titleKey: number;
  isTime: number;
  /** JSON. */
  beaten: string | null;
}

export function changeOfRow({ titleKey: key, isTime, beaten: json, ...row }: ChangeRow): StoredChange {
  const beaten = json === null ? null : (JSON.parse(json) as Beaten);
  return { ...row, titleId: titleIdOf(key), isTime: isTime === 1, beaten };
}

/** The title key of the counters of all titles. */
export const ALL_TITLES_KEY = -1;

// Documents of MongoDB.

/** Changes without rows yet. */
export interface PendingChangesDocument {
  /** Id of the first change. */
  _id: number;
  packed: Uint8Array;
}

/** The id is the change's. */
export interface ChangeDocument extends Omit<StoredChange, 'id'> {
  _id: number;
  playerKey: string;
}

export interface CountDocument {
  _id: string;
  count: number;
}

export const ALL_TITLES = 'every';

export function countId(titleId: string, type: string): string {
  return `${titleId} ${type}`;
}

const deflateRawAsync = promisify(deflateRaw);

export function changeDocument({ id, ...change }: StoredChange): ChangeDocument {
  const { titleId, leaderboardId, type, playerName, isTime, changedAt, beaten } = change;
  const { oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs } = change;
  const values = { oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs };
  const playerKey = nameKey(playerName);
  return { _id: id, type, titleId, leaderboardId, playerName, isTime, ...values, changedAt, beaten, playerKey };
}

export function changeOfDocument({ _id, playerKey, ...change }: ChangeDocument): StoredChange {
  return { id: _id, ...change };
}

export function countsOf(changes: readonly Pick<StoredChange, 'titleId' | 'type'>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { titleId, type } of changes) {
    for (const title of [titleId, ALL_TITLES]) {
      const id = countId(title, type);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}

export async function packChanges(changes: readonly StoredChange[], size: number): Promise<PendingChangesDocument[]> {
  const rows: PendingChangesDocument[] = [];
  for (const some of chunk(changes, size)) {
    rows.push({ _id: some[0]?.id ?? 0, packed: await deflateRawAsync(JSON.stringify(some), { level: 1 }) });
  }
  return rows;
}

export function unpackChanges({ packed }: PendingChangesDocument): StoredChange[] {
  return JSON.parse(inflateRawSync(packed).toString()) as StoredChange[];
}
