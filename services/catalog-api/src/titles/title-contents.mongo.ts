import { chunk } from '@lobbystats/service-kit/concurrency';
import { changeTypes } from '@lobbystats/contracts';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { ClientSession, Filter } from 'mongodb';
import { countsOf } from '../changes/changes.mongo.ts';
import type { BoardProjection } from '../leaderboards/board-projection.mongo.ts';
import {
  countId,
  keyRange,
  type ChangeRow,
  type ContentRow,
  type CountRow,
  type LogRow,
  type PendingBoardRow,
  type StateRow,
  type VersionRow,
} from '../leaderboards/board-rows.mongo.ts';
import type { IconDocument } from './icons.queries.ts';
import type { ChangeRange, TitleContentStore } from './title-contents.ts';

const BOARDS_PER_STEP = 200;
const CHANGES_PER_STEP = 2000;

export function mongoTitleContents(store: MongoStore, projection: BoardProjection): TitleContentStore {
  const boards = store.collection<StateRow>('board');
  const changes = store.collection<ChangeRow>('change');
  const counts = store.collection<CountRow>('change_count');
  const icons = store.collection<IconDocument>('icon');
  const countIds = (titleId: string) => changeTypes.map((type) => countId(titleId, type));
  return {
    count: async (titleId) => {
      await projection.catchUp();
      const found = await store.run(() => counts.find({ _id: { $in: countIds(titleId) } }).toArray());
      return {
        boards: await store.run(() => boards.countDocuments({ titleId })),
        changes: found.reduce((sum, { count }) => sum + count, 0),
      };
    },
    remove: async (titleId) => {
      await projection.catchUp();
      const rows = await store.run(() => boards.find({ titleId }, { projection: { _id: 1 } }).toArray());
      const ids = rows.map(({ _id }) => _id);
      for (const some of chunk(ids, BOARDS_PER_STEP)) {
        await store.transaction((session) => removeBoards(store, some, session));
      }
      // It removes entries and names of boards without content.
      await projection.catchUp();
      while ((await store.transaction((session) => removeSome(store, { titleId }, session))) > 0);
      await store.run(() => counts.deleteMany({ _id: { $in: countIds(titleId) } }));
      await store.run(() => icons.deleteOne({ _id: titleId }));
    },
    countChanges: async (range) => {
      await projection.catchUp();
      return store.run(() => changes.countDocuments(rangeFilter(range), { hint: 'by_time' }));
    },
    removeChanges: async (range) => {
      await projection.catchUp();
      const removeNext = () => store.transaction((session) => removeSome(store, rangeFilter(range), session));
      let removed = 0;
      for (let some = await removeNext(); some > 0; some = await removeNext()) removed += some;
      return removed;
    },
  };
}

/** Excludes commits that were planned on the boards of before. */
function moveRevision(store: MongoStore, session: ClientSession) {
  return store.collection<LogRow>('catalog').updateOne({ _id: 'boards' }, { $inc: { revision: 1 } }, { session });
}

async function removeBoards(store: MongoStore, ids: readonly string[], session: ClientSession): Promise<void> {
  await moveRevision(store, session);
  const filter = { _id: { $in: [...ids] } };
  await store.collection<ContentRow>('board_content').deleteMany(filter, { session });
  await store.collection<StateRow>('board').deleteMany(filter, { session });
  const versions = store.collection<VersionRow>('board_version');
  for (const id of ids) await versions.deleteMany({ _id: keyRange(id) }, { session });
  const waiting = ids.map((_id) => ({ replaceOne: { filter: { _id }, replacement: {}, upsert: true } }));
  await store.collection<PendingBoardRow>('pending_board').bulkWrite(waiting, { session });
}

/** Counters change with their rows, so totals stay exact. Returns how many were removed. */
async function removeSome(store: MongoStore, filter: Filter<ChangeRow>, session: ClientSession): Promise<number> {
  await moveRevision(store, session);
  const changes = store.collection<ChangeRow>('change');
  const rows = await changes
    .find(filter, { session, projection: { type: 1, titleId: 1 } })
    .limit(CHANGES_PER_STEP)
    .toArray();
  if (rows.length === 0) return 0;
  await changes.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } }, { session });
  const less = Array.from(countsOf(rows), ([_id, count]) => ({
    updateOne: { filter: { _id }, update: { $inc: { count: -count } } },
  }));
  await store.collection<CountRow>('change_count').bulkWrite(less, { session });
  return rows.length;
}

function rangeFilter({ fromInclusive, toExclusive }: ChangeRange): Filter<ChangeRow> {
  return { changedAt: { $gte: fromInclusive, $lt: toExclusive } };
}
