import { MongoOutbox, openMongoStore } from '@lobbystats/mongo-store';
import { Collection } from 'mongodb';
import { cutMongo } from '../../../test/stack/cut-mongo.ts';
import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { catalogSchema } from '../src/adapters/mongo/catalog-schema.ts';
import { mongoBoardStore } from '../src/adapters/mongo/mongo-board-store.ts';
import { openMongoCatalogStore } from '../src/adapters/mongo/mongo-catalog-store.ts';
import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { describeChangeLog } from './change-log.contract.ts';
import { after, before, expectNothingByHalves } from './cut-commits.contract.ts';
import { describeEntrySearch } from './entry-search.contract.ts';
import { mongoTitles } from './mongo-titles.ts';
import { BOARD, change, HOUR, nextCommit, put, write } from './stored-boards.ts';
import { fact } from './title-store.contract.ts';

let database: PreparedMongo;
beforeAll(async () => {
  database = await mongoTitles('test_commits_in_parts');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => database.empty());

/** A catalog whose commits are all in parts, as those of very large boards are. */
async function openInParts(partRows = 9): Promise<CatalogStore> {
  const catalog = await openMongoCatalogStore(database.url, 'simulated');
  const store = await openMongoStore({ url: database.url, schema: catalogSchema, origin: 'simulated' });
  const limits = { rows: 4, facts: 2, transactionRows: 0, partRows };
  const boards = mongoBoardStore(store, new MongoOutbox(store, 'catalog'), limits);
  const close = async () => {
    await store.close();
    await catalog.close();
  };
  return { ...catalog, boards, close };
}

const openEmpty = async (partRows?: number) => {
  await database.empty();
  return openInParts(partRows);
};

const changed = async (catalog: CatalogStore) =>
  nextCommit(catalog.boards, {
    boards: [
      write({ before, entries: after, version: 2, changedAt: HOUR + 86_400 }),
      write({ leaderboardId: 4, entries: after }),
    ],
    changes: [change(1), change(2, { type: 'new' }), change(3, { type: 'removed' })],
    facts: ['1', '2', '3'].map((id) => fact(id)),
  });

/** The boards are changed, and nothing that follows from it is. */
async function leaveUnfinished(catalog: CatalogStore): Promise<void> {
  const commit = await changed(catalog);
  const cut = jest.spyOn(Collection.prototype, 'findOneAndDelete').mockRejectedValue(new Error('cut off'));
  await expect(catalog.boards.commit(commit)).rejects.toThrow('cut off');
  cut.mockRestore();
}

describeChangeLog('MongoDB, in parts,', () => openEmpty());
// There are boards of thousands of rows.
describeEntrySearch('MongoDB, in parts,', () => openEmpty(500));

describe('a commit to MongoDB that is in parts', () => {
  it('and is cut off at any step leaves everything as it was, or is finished at the next start', async () => {
    const cuttable = { open: openEmpty, reopen: openInParts, cutAfter: cutMongo, mayBeFinished: true };
    const finished = await expectNothingByHalves(cuttable, async (catalog) =>
      catalog.boards.commit(await changed(catalog)),
    );
    expect(finished).toBeGreaterThan(3);
  }, 240_000);

  it('shows its boards at once, is in nobody’s way who reads, and is finished before the next one, by whoever comes', async () => {
    const catalog = await openEmpty();
    for (const leaderboardId of [1, 2]) await put(catalog.boards, { leaderboardId, entries: before });
    await leaveUnfinished(catalog);
    expect(await catalog.boards.entries(BOARD)).toEqual(after);
    expect(await catalog.boards.placeOf(BOARD, 'd')).toBe(0);
    expect(await catalog.boards.countChanges({})).toBe(0);
    expect(await catalog.outbox.backlog()).toBe(0);

    const next = await nextCommit(catalog.boards, { facts: [fact('next')] });
    expect(await catalog.boards.commit(next)).toBe(false);
    const people = {
      expectedRevision: next.expectedRevision,
      revision: next.log.revision,
      put: [],
      forgotten: [],
      facts: [],
    };
    expect(await catalog.players.commitPeople(people)).toBe(false);

    const other = await openInParts();
    const logs = await Promise.all([catalog, other, catalog].map(({ boards }) => boards.settledLog()));
    for (const log of logs) expect(log).toEqual(await catalog.boards.changeLog());
    expect(await catalog.boards.countChanges({})).toBe(3);
    expect((await catalog.boards.ofPlayers({ keys: ['d'] })).map(({ rank }) => rank)).toEqual([1, 1]);
    expect((await catalog.outbox.pending(9)).map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(await catalog.boards.commit(await nextCommit(catalog.boards, {}))).toBe(true);
    await other.close();
    await catalog.close();
  });

  it('has the total of its changes after each part', async () => {
    const catalog = await openEmpty(1);
    for (const leaderboardId of [1, 2]) await put(catalog.boards, { leaderboardId, entries: before });
    await leaveUnfinished(catalog);
    const told: string[] = [];
    const findOneAndDelete = Reflect.get(Collection.prototype, 'findOneAndDelete') as (
      ...args: unknown[]
    ) => Promise<null>;
    const parts = jest.spyOn(Collection.prototype, 'findOneAndDelete').mockImplementation(async function (
      this: Collection,
      ...args: unknown[]
    ) {
      const changes = await catalog.boards.changes({}, { offset: 0, limit: 9 });
      told.push(`${await catalog.boards.countChanges({})} of ${changes.length}`);
      return findOneAndDelete.apply(this, args);
    });
    await catalog.boards.settledLog();
    parts.mockRestore();
    await catalog.close();
    expect([...new Set(told)]).toEqual(['0 of 0', '3 of 3']);
  });

  it('is done once by several who finish it at the same time', async () => {
    const catalog = await openEmpty();
    await put(catalog.boards, { entries: before });
    await leaveUnfinished(catalog);
    await Promise.all(Array.from({ length: 6 }, () => catalog.boards.settledLog()));
    expect(await catalog.boards.countChanges({})).toBe(3);
    expect(await catalog.outbox.backlog()).toBe(3);
    expect(await catalog.boards.ofPlayers({ keys: ['a', 'b', 'c', 'd'] })).toHaveLength(6);
    await catalog.close();
  });
});
