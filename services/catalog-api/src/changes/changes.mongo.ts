import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { changeTypes, nameKey } from '@lobbystats/contracts';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { Filter } from 'mongodb';
import { chunk } from '@lobbystats/service-kit/concurrency';
import { isCounted, type BoardStore, type ChangeFilter, type StoredChange } from '../leaderboards/board-store.ts';
import {
  countId,
  ALL_TITLES,
  type ChangeRow,
  type CountRow,
  type PendingChangesRow,
} from '../leaderboards/board-rows.mongo.ts';

export function changeReads(store: MongoStore) {
  const changes = store.collection<ChangeRow>('change');
  const counts = store.collection<CountRow>('change_count');

  /** Ids grow with time: the last id at an instant. */
  const lastIdUntil = async (instant: number): Promise<number> => {
    const sort = { changedAt: -1, _id: -1 } as const;
    const options = { sort, projection: { _id: 1 }, hint: 'by_time' };
    return (await store.run(() => changes.findOne({ changedAt: { $lte: instant } }, options)))?._id ?? 0;
  };
  const idsAbove = async ({ since }: ChangeFilter, after = 0): Promise<number> =>
    since === undefined ? after : Math.max(after, await lastIdUntil(since));
  const counted = async ({ titleId = ALL_TITLES, type }: ChangeFilter): Promise<number> => {
    const ids = (type === undefined ? changeTypes : [type]).map((each) => countId(titleId, each));
    const found = await store.run(() => counts.find({ _id: { $in: ids } }).toArray());
    return found.reduce((sum, { count }) => sum + count, 0);
  };

  return {
    changes: async (filter, { before = Number.MAX_SAFE_INTEGER, after, offset, limit }) => {
      const query = { ...matching(filter), _id: { $gt: await idsAbove(filter, after), $lt: before } };
      const order = after === undefined ? -1 : 1;
      const found = await store.run(() =>
        changes
          .find(query, { hint: indexFor(filter) })
          .sort({ _id: order })
          .skip(offset)
          .limit(limit)
          .toArray(),
      );
      return found.map(changeOf);
    },
    countChanges: async (filter, after) => {
      const above = await idsAbove(filter, after);
      if (above === 0 && isCounted(filter)) return counted(filter);
      const query = { ...matching(filter), _id: { $gt: above } };
      return store.run(() => changes.countDocuments(query, { hint: indexFor(filter) }));
    },
    changesById: async (ids) => (await store.run(() => changes.find({ _id: { $in: ids } }).toArray())).map(changeOf),
    changesOnBoard: async ({ titleId, leaderboardId }, playerKeys) => {
      const query = {
        playerKey: { $in: playerKeys },
        titleId: { $eq: titleId },
        leaderboardId: { $eq: leaderboardId },
      };
      const found = changes.find(query, { hint: 'by_player_and_board' }).sort({ _id: -1 });
      return (await store.run(() => found.toArray())).map(changeOf);
    },
    changedTitles: async () => store.run(() => changes.distinct('titleId')),
  } satisfies Partial<BoardStore>;
}

function matching({ titleId, leaderboardIds, playerKey, type, first }: ChangeFilter): Filter<ChangeRow> {
  return {
    ...(titleId !== undefined && { titleId: { $eq: titleId } }),
    ...(leaderboardIds !== undefined && { leaderboardId: { $in: leaderboardIds } }),
    ...(playerKey !== undefined && { playerKey: { $eq: playerKey } }),
    ...(type !== undefined && { type: { $eq: type } }),
    ...(first !== undefined && { newRank: { $eq: 1 } }),
    ...(first === 'records' && { beaten: { $ne: null } }),
  };
}

function indexFor({ titleId, playerKey, type, first }: ChangeFilter): string {
  if (playerKey !== undefined) return 'by_player';
  // There are few records: those of another type are passed over.
  if (first !== undefined) return titleId === undefined ? 'by_new_rank' : 'by_title_and_new_rank';
  if (titleId !== undefined) return type === undefined ? 'by_title' : 'by_title_and_type';
  return type === undefined ? '_id_' : 'by_type';
}

const deflateRawAsync = promisify(deflateRaw);

export function changeRow({ id, ...change }: StoredChange): ChangeRow {
  const { titleId, leaderboardId, type, playerName, isTime, changedAt, beaten } = change;
  const { oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs } = change;
  const values = { oldRank, newRank, oldRating, newRating, oldTimeMs, newTimeMs };
  const playerKey = nameKey(playerName);
  return { _id: id, type, titleId, leaderboardId, playerName, isTime, ...values, changedAt, beaten, playerKey };
}

function changeOf({ _id, playerKey, ...change }: ChangeRow): StoredChange {
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
