import { createMutex } from '@lobbystats/service-kit/concurrency';
import { playerRanked } from '@lobbystats/contracts';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import { cleanUp } from '@lobbystats/test-kit';
import { Collection } from 'mongodb';
import { failMongoAfter } from '@lobbystats/test-kit/fail-mongo-after';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { boardProjection, type BoardProjection } from '../src/ingest/board-projection.mongo.ts';
import type { EntryDocument } from '../src/boards/board-rows.ts';
import { openMongoCatalog } from '../src/database/open.mongo.ts';
import { commitsInMongo } from '../src/ingest/commits.queries.ts';
import { openMongoCatalogStore, projectedOutbox, type CatalogStore } from '../src/open-store.ts';
import { TrackedPlayers } from '../src/players/tracked-players.ts';
import { describeChangeLog } from './change-log.contract.ts';
import { after, before, expectAtomicCommit } from './interrupted-commits.contract.ts';
import { describeEntrySearch } from './entry-search.contract.ts';
import { describeNameSearch } from './name-search.contract.ts';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';
import { BOARD, change, HOUR, nextCommit, put, times, write } from './stored-boards.ts';
import { fact } from './title-store.contract.ts';

interface SteppedCatalog extends CatalogStore {
  readonly projection: BoardProjection;
  readonly store: MongoStore;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareCatalogDatabase('test_projection');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.clear());

/** A catalog whose projection takes many small steps, like that of very large boards. */
async function openWithSmallSteps(rowsPerStep = 2): Promise<SteppedCatalog> {
  const catalog = await openMongoCatalogStore(database.url, 'simulated');
  const { store, outbox } = await openMongoCatalog(database.url, 'simulated');
  const projection = boardProjection(store, rowsPerStep, 0);
  const boards = { ...catalog.boards, ...commitsInMongo({ store, outbox }, projection) };
  const close = async () => {
    await store.close();
    await catalog.close();
  };
  return { ...catalog, boards, outbox: projectedOutbox(outbox, projection), projection, store, close };
}

const openEmpty = async (rowsPerStep?: number) => {
  await database.clear();
  return openWithSmallSteps(rowsPerStep);
};

/** Opens an empty catalog and closes it after the test. */
const open = async () => {
  const catalog = await openEmpty();
  cleanUp(() => catalog.close());
  return catalog;
};

const changed = async (catalog: CatalogStore) =>
  nextCommit(catalog.boards, {
    boards: [
      write({ entries: after, version: 2, changedAt: HOUR + 86_400 }),
      write({ leaderboardId: 2, gone: true, version: 2 }),
      write({ leaderboardId: 4, entries: after }),
    ],
    changes: [change(1), change(2, { type: 'new' }), change(3, { type: 'removed' })],
    facts: ['1', '2', '3'].map((id) => fact(id)),
  });

const failSteps = () => jest.spyOn(Collection.prototype, 'findOneAndDelete').mockRejectedValue(new Error('cut off'));

/** Commits boards without updating the projection. */
async function commitWithoutProjection(catalog: CatalogStore): Promise<void> {
  for (const leaderboardId of [1, 2]) await put(catalog.boards, { leaderboardId, entries: before });
  const cut = failSteps();
  await expect(catalog.boards.commit(await changed(catalog))).rejects.toThrow('cut off');
  cut.mockRestore();
}

/** Boards and ranks where a player is found. */
const found = async ({ boards }: CatalogStore, key: string) =>
  (await boards.ofPlayers({ keys: [key] })).map(({ leaderboardId, rank }) => `${leaderboardId}:${rank}`);
const rowsOf = ({ store }: SteppedCatalog) =>
  store.collection<EntryDocument>('entry').find().sort({ _id: 1 }).toArray();

describeChangeLog('MongoDB, in small steps,', () => openEmpty());
describeNameSearch('MongoDB, in small steps,', () => openEmpty());
// Some boards have thousands of rows.
describeEntrySearch('MongoDB, in small steps,', () => openEmpty(500));

describe('board projection', () => {
  it('the next process finishes a projection interrupted at any statement', async () => {
    const cuttable = { open: openEmpty, reopen: openWithSmallSteps, failAfter: failMongoAfter, mayCompleteLater: true };
    const finished = await expectAtomicCommit(cuttable, async (catalog) =>
      catalog.boards.commit(await changed(catalog)),
    );
    expect(finished).toBeGreaterThan(10);
  });

  it('an unfinished projection delays facts until it has caught up, but no other commit', async () => {
    const catalog = await open();
    await commitWithoutProjection(catalog);
    expect(await catalog.boards.entries(BOARD)).toEqual(after);
    expect(await catalog.boards.positionOf(BOARD, 'd')).toBe(0);
    expect(await catalog.boards.countChanges({})).toBe(0);
    expect([await found(catalog, 'a'), await found(catalog, 'd')]).toEqual([['1:1', '2:1'], []]);

    const cut = failSteps();
    await expect(catalog.outbox.pending(9)).rejects.toThrow('cut off');
    const next = await nextCommit(catalog.boards, {
      boards: [write({ entries: before, version: 3 })],
      changes: [change(4)],
      facts: [fact('next')],
    });
    await expect(catalog.boards.commit(next)).rejects.toThrow('cut off');
    cut.mockRestore();

    expect((await catalog.outbox.pending(9)).map(({ id }) => id)).toEqual(['1', '2', '3', 'next']);
    expect(await catalog.boards.countChanges({})).toBe(4);
    expect([await found(catalog, 'a'), await found(catalog, 'd')]).toEqual([['1:1', '4:2'], ['4:1']]);
  });

  it('updates counters together with the changes they count', async () => {
    const catalog = await open();
    await commitWithoutProjection(catalog);
    const counts: string[] = [];
    const findOneAndDelete = Reflect.get(Collection.prototype, 'findOneAndDelete') as (
      ...args: unknown[]
    ) => Promise<null>;
    jest.spyOn(Collection.prototype, 'findOneAndDelete').mockImplementation(async function (
      this: Collection,
      ...args: unknown[]
    ) {
      const changes = await catalog.boards.changes({}, { offset: 0, limit: 9 });
      counts.push(`${await catalog.boards.countChanges({})} of ${changes.length}`);
      return findOneAndDelete.apply(this, args);
    });
    await catalog.projection.catchUp();
    expect([...new Set(counts)]).toEqual(['0 of 0', '2 of 2', '3 of 3']);
  });

  it('applies each step once when several processes catch up concurrently', async () => {
    const catalog = await open();
    await commitWithoutProjection(catalog);
    const others = await Promise.all([openWithSmallSteps(1), openWithSmallSteps(3)]);
    for (const other of others) cleanUp(() => other.close());
    await Promise.all([catalog, ...others].flatMap(({ projection }) => [projection.catchUp(), projection.catchUp()]));
    expect(await catalog.projection.catchUp()).toBe(false);
    expect(await catalog.boards.countChanges({})).toBe(3);
    expect(await rowsOf(catalog)).toHaveLength(2 * after.length);
    expect(await found(catalog, 'd')).toEqual(['1:1', '4:1']);
  });

  it('increases the revision, so that a commit based on earlier reads is rejected', async () => {
    const catalog = await open();
    await commitWithoutProjection(catalog);
    const stale = await nextCommit(catalog.boards, {});
    await catalog.projection.catchUp();
    expect(await catalog.boards.commit(stale)).toBe(false);
    expect(await catalog.projection.catchUp()).toBe(false);
  });

  it('catches up before the ranks of a new user are published', async () => {
    const catalog = await open();
    await commitWithoutProjection(catalog);
    const about = { runExclusive: createMutex(), clock: () => HOUR * 1000, origin: 'simulated' };
    const players = new TrackedPlayers({ store: catalog.players, boards: catalog.boards, ...about });
    const user = { userKey: 'deer', gamertag: 'D', revision: 1 };
    await players.upsert([user], { occurredAt: HOUR, past: false });
    const facts = await catalog.outbox.pending(9);
    const ranked = facts.filter(({ type }) => type === playerRanked.key);
    expect(ranked.map(({ data }) => playerRanked.data.parse(data).ranks)).toEqual([
      [1, 4].map((leaderboardId) => ({ ...BOARD, leaderboardId, gamertag: 'D', rank: 1 })),
    ]);
  });

  it('names the players of large boards once no more boards come, and those of other boards at once', async () => {
    const catalog = await openEmpty(500);
    cleanUp(() => catalog.close());
    const large = (name: string) => times(...Array.from({ length: 60 }, (_, i) => [`${name} ${i % 55}`, i] as const));
    await put(catalog.boards, { entries: before }, { leaderboardId: 2, entries: large('Early') });
    await put(catalog.boards, { leaderboardId: 3, entries: large('Early') });
    const named = async (key: string) =>
      (await catalog.boards.namesWithWord(key, 500)).map(({ entries }) => entries).sort();
    expect([await named('a'), await named('old'), await named('early')]).toEqual([[1], [3, 60, 60], []]);
    await catalog.outbox.pending(1);
    expect((await named('early')).toString()).toBe(
      [...Array<number>(50).fill(2), ...Array<number>(5).fill(4)].toString(),
    );
    await put(catalog.boards, { leaderboardId: 2, version: 2, entries: large('Late') });
    expect([await named('late'), (await named('early')).length]).toEqual([[], 55]);
    await catalog.outbox.pending(1);
    expect([(await named('late')).length, (await named('early'))[0]]).toEqual([55, 1]);
    expect(await catalog.store.collection('pending_names').countDocuments()).toBe(0);
  });

  it('names the new players of a backfill once no more boards come, and those of live readings at once', async () => {
    const catalog = await openEmpty(500);
    cleanUp(() => catalog.close());
    const past = async (leaderboardId: number, entries = before) => {
      const commit = { boards: [write({ leaderboardId, entries })], past: true };
      expect(await catalog.boards.commit(await nextCommit(catalog.boards, commit))).toBe(true);
    };
    await past(2);
    await past(3);
    expect(await catalog.boards.namesWithWord('a', 500)).toEqual([]);
    await put(catalog.boards, { leaderboardId: 4, entries: before });
    expect(await catalog.boards.namesWithWord('a', 500)).toMatchObject([{ entries: 3 }]);
    await past(3, []);
    await past(4, times(['A', 1], ['New', 2]));
    expect(await catalog.boards.namesWithWord('a', 500)).toMatchObject([{ entries: 2 }]);
    expect(await catalog.boards.namesWithWord('new', 500)).toEqual([]);
    await catalog.outbox.pending(1);
    expect(await catalog.boards.namesWithWord('a', 500)).toMatchObject([{ entries: 2 }]);
    expect(await catalog.boards.namesWithWord('new', 500)).toMatchObject([{ entries: 1 }]);
    expect(await catalog.store.collection('pending_names').countDocuments()).toBe(0);
  });

  it('rebuilds the names of players and boards from the boards', async () => {
    const catalog = await open();
    await put(catalog.boards, { entries: before }, { leaderboardId: 2, entries: times(['A', 1], ['A', 2]) });
    const names = catalog.store.collection<{ _id: string; entries: number }>('name');
    const right = await names.find().sort({ _id: 1 }).toArray();
    expect(right.length).toBeGreaterThan(3);
    await names.deleteOne({ _id: 'player a' });
    await names.updateMany({}, { $set: { entries: 9, firstWord: 'x' } });
    await catalog.store.collection<{ _id: string }>('catalog').deleteOne({ _id: 'names' });
    const next = await openMongoCatalogStore(database.url, 'simulated');
    cleanUp(() => next.close());
    await next.outbox.pending(1);
    expect(await names.find().sort({ _id: 1 }).toArray()).toEqual(right);
  });

  it('rebuilds corrupted entry rows from the boards', async () => {
    const catalog = await open();
    await put(catalog.boards, { entries: before }, { leaderboardId: 2, entries: times(['A', 1], ['A', 2]) });
    await put(catalog.boards, { leaderboardId: 3, entries: before });
    await put(catalog.boards, { leaderboardId: 3, gone: true, version: 2 });
    const right = await rowsOf(catalog);
    expect(right).toHaveLength(5);

    const entries = catalog.store.collection<EntryDocument>('entry');
    const [first, second] = right as [EntryDocument, EntryDocument];
    await entries.deleteOne({ _id: first._id });
    await entries.updateOne({ _id: second._id }, { $set: { rank: 9, timeMs: null } });
    await entries.insertMany([
      { ...first, _id: `${first._id} stray` },
      { ...first, leaderboardId: 3, _id: '4d530064 3 0 A' },
    ]);
    await catalog.store.collection<{ _id: string }>('catalog').deleteOne({ _id: 'entries' });
    const next = await openMongoCatalogStore(database.url, 'simulated');
    cleanUp(() => next.close());
    await next.outbox.pending(1);
    expect(await rowsOf(catalog)).toEqual(right);
  });
});
