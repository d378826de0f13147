import { changeTypes, type EpochSeconds } from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { ClientSession, Filter } from 'mongodb';
import {
  keyRange,
  titleKey,
  type ContentDocument,
  type LogDocument,
  type PendingBoardDocument,
  type StateDocument,
  type VersionDocument,
} from '../boards/board-rows.ts';
import { ALL_TITLES_KEY, countId, countsOf, type ChangeDocument, type CountDocument } from '../changes/change-rows.ts';
import type { MongoCatalog } from '../database/open.mongo.ts';
import { namedBoard, updateBoardWords, updatePlayerWords } from '../names/name-words.queries.ts';
import type { IconDocument } from '../titles/icons.queries.ts';

/** Contents of titles besides their records. Each may be repeated. They throw AppError `unavailable`. */
export type ContentQueries = ReturnType<typeof contentsInSqlite>;

export interface ChangeRange {
  readonly fromInclusive: EpochSeconds;
  readonly toExclusive: EpochSeconds;
}

export function contentsInSqlite(sqlite: SqliteStore) {
  const countOf = (sql: string, key: number) => sqlite.get<{ n: number }>(sql, key)?.n ?? 0;
  return {
    count: async (titleId: string) => {
      const key = titleKey(titleId);
      return {
        boards: countOf('SELECT count(*) AS n FROM board WHERE title_id = ?', key),
        changes: countOf('SELECT ifnull(sum(count), 0) AS n FROM change_count WHERE title_id = ?', key),
      };
    },
    /** Removes the icon, and leaderboards with entries, versions and changes, of a title. No facts are written. */
    remove: async (titleId: string) =>
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
        for (const { type, count } of counts) sqlite.run(less, count, ALL_TITLES_KEY, type);
        sqlite.run('DELETE FROM change_count WHERE title_id = ?', key);
        sqlite.run('DELETE FROM icon WHERE title_id = ?', titleId);
      }),
    /** Changes of a range of time. */
    countChanges: async (range: ChangeRange) => countsIn(sqlite, range).reduce((sum, { count }) => sum + count, 0),
    /** Removes them from the log; leaderboards and their versions stay. Returns their number. No facts are written. */
    removeChanges: async (range: ChangeRange) =>
      sqlite.transaction(() => {
        const counts = countsIn(sqlite, range);
        const removed = sqlite.run(`DELETE FROM change WHERE ${IN_RANGE}`, range.fromInclusive, range.toExclusive);
        const less = 'UPDATE change_count SET count = count - ? WHERE title_id IN (?, ?) AND type = ?';
        for (const { title, type, count } of counts) sqlite.run(less, count, title, ALL_TITLES_KEY, type);
        // Titles with a counter are those with changes.
        sqlite.run('DELETE FROM change_count WHERE count = 0 AND title_id <> ?', ALL_TITLES_KEY);
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

const BOARDS_PER_STEP = 200;
const CHANGES_PER_STEP = 2000;

/** @param catchUp brings entries and changes up to date */
export function contentsInMongo({ store }: MongoCatalog, catchUp: () => Promise<boolean>) {
  const boards = store.collection<StateDocument>('board');
  const changes = store.collection<ChangeDocument>('change');
  const counts = store.collection<CountDocument>('change_count');
  const icons = store.collection<IconDocument>('icon');
  const countIds = (titleId: string) => changeTypes.map((type) => countId(titleId, type));
  return {
    count: async (titleId) => {
      await catchUp();
      const found = await store.run(() => counts.find({ _id: { $in: countIds(titleId) } }).toArray());
      return {
        boards: await store.run(() => boards.countDocuments({ titleId })),
        changes: found.reduce((sum, { count }) => sum + count, 0),
      };
    },
    remove: async (titleId) => {
      await catchUp();
      const rows = await store.run(() => boards.find({ titleId }, { projection: { _id: 1 } }).toArray());
      const ids = rows.map(({ _id }) => _id);
      for (const some of chunk(ids, BOARDS_PER_STEP)) {
        await store.transaction((session) => removeBoards(store, some, session));
      }
      // It removes entries and names of boards without content.
      await catchUp();
      while ((await store.transaction((session) => removeSome(store, { titleId }, session))) > 0);
      await store.run(() => counts.deleteMany({ _id: { $in: countIds(titleId) } }));
      await store.run(() => icons.deleteOne({ _id: titleId }));
    },
    countChanges: async (range) => {
      await catchUp();
      return store.run(() => changes.countDocuments(rangeFilter(range), { hint: 'by_time' }));
    },
    removeChanges: async (range) => {
      await catchUp();
      const removeNext = () => store.transaction((session) => removeSome(store, rangeFilter(range), session));
      let removed = 0;
      for (let some = await removeNext(); some > 0; some = await removeNext()) removed += some;
      return removed;
    },
  } satisfies ContentQueries;
}

/** Excludes commits that were planned on the boards of before. */
function moveRevision(store: MongoStore, session: ClientSession) {
  return store.collection<LogDocument>('catalog').updateOne({ _id: 'boards' }, { $inc: { revision: 1 } }, { session });
}

async function removeBoards(store: MongoStore, ids: readonly string[], session: ClientSession): Promise<void> {
  await moveRevision(store, session);
  const filter = { _id: { $in: [...ids] } };
  await store.collection<ContentDocument>('board_content').deleteMany(filter, { session });
  await store.collection<StateDocument>('board').deleteMany(filter, { session });
  const versions = store.collection<VersionDocument>('board_version');
  for (const id of ids) await versions.deleteMany({ _id: keyRange(id) }, { session });
  const waiting = ids.map((_id) => ({ replaceOne: { filter: { _id }, replacement: {}, upsert: true } }));
  await store.collection<PendingBoardDocument>('pending_board').bulkWrite(waiting, { session });
}

/** Counters change with their rows, so totals stay exact. Returns how many were removed. */
async function removeSome(store: MongoStore, filter: Filter<ChangeDocument>, session: ClientSession): Promise<number> {
  await moveRevision(store, session);
  const changes = store.collection<ChangeDocument>('change');
  const rows = await changes
    .find(filter, { session, projection: { type: 1, titleId: 1 } })
    .limit(CHANGES_PER_STEP)
    .toArray();
  if (rows.length === 0) return 0;
  await changes.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } }, { session });
  const less = Array.from(countsOf(rows), ([_id, count]) => ({
    updateOne: { filter: { _id }, update: { $inc: { count: -count } } },
  }));
  await store.collection<CountDocument>('change_count').bulkWrite(less, { session });
  return rows.length;
}

function rangeFilter({ fromInclusive, toExclusive }: ChangeRange): Filter<ChangeDocument> {
  return { changedAt: { $gte: fromInclusive, $lt: toExclusive } };
}
