import { playerRanked } from '@lobbystats/contracts';
import { MongoOutbox, openMongoStore, type MongoStore } from '@lobbystats/mongo-store';
import { serially } from '@lobbystats/service-kit';
import { cleanUp } from '@lobbystats/test-kit';
import { Collection } from 'mongodb';
import { cutMongo } from '../../../test/stack/cut-mongo.ts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { boardProjection, type BoardProjection } from '../src/adapters/mongo/board-projection.ts';
import type { EntryRow } from '../src/adapters/mongo/board-rows.ts';
import { catalogSchema } from '../src/adapters/mongo/catalog-schema.ts';
import { mongoBoardStore } from '../src/adapters/mongo/mongo-board-store.ts';
import { openMongoCatalogStore } from '../src/adapters/mongo/mongo-catalog-store.ts';
import { projectedOutbox } from '../src/adapters/mongo/projected-outbox.ts';
import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { KnownPlayers } from '../src/domain/known-players.ts';
import { describeChangeLog } from './change-log.contract.ts';
import { after, before, expectNothingByHalves } from './cut-commits.contract.ts';
import { describeEntrySearch } from './entry-search.contract.ts';
import { mongoTitles } from './mongo-titles.ts';
import { BOARD, change, HOUR, nextCommit, put, times, write } from './stored-boards.ts';
import { fact } from './title-store.contract.ts';

interface SteppedCatalog extends CatalogStore {
  readonly projection: BoardProjection;
  readonly store: MongoStore;
}

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoTitles('test_projection');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.empty());

/** A catalog whose projection takes many small steps, as that of very large boards does. */
async function openInSteps(rowsPerStep = 2): Promise<SteppedCatalog> {
  const catalog = await openMongoCatalogStore(database.url, 'simulated');
  const store = await openMongoStore({ url: database.url, schema: catalogSchema, origin: 'simulated' });
  const outbox = new MongoOutbox(store, 'catalog');
  const projection = boardProjection(store, rowsPerStep);
  const boards = mongoBoardStore(store, outbox, projection);
  const close = async () => {
    await store.close();
    await catalog.close();
  };
  return { ...catalog, boards, outbox: projectedOutbox(outbox, projection), projection, store, close };
}

const openEmpty = async (rowsPerStep?: number) => {
  await database.empty();
  return openInSteps(rowsPerStep);
};

/** An empty one that the test closes. */
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

const cutSteps = () => jest.spyOn(Collection.prototype, 'findOneAndDelete').mockRejectedValue(new Error('cut off'));

/** The boards are changed, and no row that lists and searches read. */
async function leaveBehind(catalog: CatalogStore): Promise<void> {
  for (const leaderboardId of [1, 2]) await put(catalog.boards, { leaderboardId, entries: before });
  const cut = cutSteps();
  await expect(catalog.boards.commit(await changed(catalog))).rejects.toThrow('cut off');
  cut.mockRestore();
}

/** Boards and ranks where a player is found. */
const found = async ({ boards }: CatalogStore, key: string) =>
  (await boards.ofPlayers({ keys: [key] })).map(({ leaderboardId, rank }) => `${leaderboardId}:${rank}`);
const rowsOf = ({ store }: SteppedCatalog) => store.collection<EntryRow>('entry').find().sort({ _id: 1 }).toArray();

describeChangeLog('MongoDB, in small steps,', () => openEmpty());
// There are boards of thousands of rows.
describeEntrySearch('MongoDB, in small steps,', () => openEmpty(500));

describe('the projection of a commit', () => {
  it('is finished by the next process, whichever step is cut off', async () => {
    const cuttable = { open: openEmpty, reopen: openInSteps, cutAfter: cutMongo, mayBeFinished: true };
    const finished = await expectNothingByHalves(cuttable, async (catalog) =>
      catalog.boards.commit(await changed(catalog)),
    );
    expect(finished).toBeGreaterThan(10);
  }, 240_000);

  it('lags behind the boards, holds back their facts until it has caught up, and no other commit', async () => {
    const catalog = await open();
    await leaveBehind(catalog);
    expect(await catalog.boards.entries(BOARD)).toEqual(after);
    expect(await catalog.boards.placeOf(BOARD, 'd')).toBe(0);
    expect(await catalog.boards.countChanges({})).toBe(0);
    expect([await found(catalog, 'a'), await found(catalog, 'd')]).toEqual([['1:1', '2:1'], []]);

    const cut = cutSteps();
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

  it('shows with each change its total', async () => {
    const catalog = await open();
    await leaveBehind(catalog);
    const told: string[] = [];
    const findOneAndDelete = Reflect.get(Collection.prototype, 'findOneAndDelete') as (
      ...args: unknown[]
    ) => Promise<null>;
    jest.spyOn(Collection.prototype, 'findOneAndDelete').mockImplementation(async function (
      this: Collection,
      ...args: unknown[]
    ) {
      const changes = await catalog.boards.changes({}, { offset: 0, limit: 9 });
      told.push(`${await catalog.boards.countChanges({})} of ${changes.length}`);
      return findOneAndDelete.apply(this, args);
    });
    await catalog.projection.catchUp();
    expect([...new Set(told)]).toEqual(['0 of 0', '2 of 2', '3 of 3']);
  });

  it('is done once by several processes at the same time', async () => {
    const catalog = await open();
    await leaveBehind(catalog);
    const others = await Promise.all([openInSteps(1), openInSteps(3)]);
    for (const other of others) cleanUp(() => other.close());
    await Promise.all([catalog, ...others].flatMap(({ projection }) => [projection.catchUp(), projection.catchUp()]));
    expect(await catalog.projection.catchUp()).toBe(false);
    expect(await catalog.boards.countChanges({})).toBe(3);
    expect(await rowsOf(catalog)).toHaveLength(2 * after.length);
    expect(await found(catalog, 'd')).toEqual(['1:1', '4:1']);
  });

  it('moves the revision, so that what was read before is read again', async () => {
    const catalog = await open();
    await leaveBehind(catalog);
    const stale = await nextCommit(catalog.boards, {});
    await catalog.projection.catchUp();
    expect(await catalog.boards.commit(stale)).toBe(false);
    expect(await catalog.projection.catchUp()).toBe(false);
  });

  it('comes before the ranks of somebody who becomes known', async () => {
    const catalog = await open();
    await leaveBehind(catalog);
    const about = { inTurn: serially(), clock: () => HOUR * 1000, origin: 'simulated' };
    const players = new KnownPlayers({ store: catalog.players, boards: catalog.boards, ...about });
    const person = { userKey: 'deer', gamertag: 'D', revision: 1 };
    await players.learn([person], { occurredAt: HOUR, past: false });
    const facts = await catalog.outbox.pending(9);
    const ranked = facts.filter(({ type }) => type === playerRanked.key);
    expect(ranked.map(({ data }) => playerRanked.data.parse(data).ranks)).toEqual([
      [1, 4].map((leaderboardId) => ({ ...BOARD, leaderboardId, gamertag: 'D', rank: 1 })),
    ]);
  });

  it('can be made anew from the boards, whatever its rows are', async () => {
    const catalog = await open();
    await put(catalog.boards, { entries: before }, { leaderboardId: 2, entries: times(['A', 1], ['A', 2]) });
    await put(catalog.boards, { leaderboardId: 3, entries: before });
    await put(catalog.boards, { leaderboardId: 3, gone: true, version: 2 });
    const right = await rowsOf(catalog);
    expect(right).toHaveLength(5);

    const entries = catalog.store.collection<EntryRow>('entry');
    const [first, second] = right as [EntryRow, EntryRow];
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

describe('a database in which an older release has left parts of a commit', () => {
  it('is not opened', async () => {
    const catalog = await open();
    const logs = catalog.store.collection<{ _id: string }>('catalog');
    await logs.updateOne({ _id: 'boards' }, { $set: { rest: 2 } });
    await expect(openMongoCatalogStore(database.url, 'simulated')).rejects.toThrow(/start the release before this one/);
    await logs.updateOne({ _id: 'boards' }, { $unset: { rest: '' } });
  });
});
