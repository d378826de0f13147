import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoCatalogStore } from '../src/open-store.ts';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';
import { describeIconStore } from './icon-store.contract.ts';
import { describeTitleRemoval } from './title-contents.contract.ts';
import { describeOutbox } from './outbox.contract.ts';
import { commit, describeTitleStore, fact, record } from './title-store.contract.ts';

let titles: TestDatabase;
beforeAll(async () => {
  titles = await prepareCatalogDatabase('test_titles');
});
beforeEach(() => titles.clear());
afterAll(() => titles.clear());

const open = (origin = 'simulated') => openMongoCatalogStore(titles.url, origin);

describeTitleStore('MongoDB', open);
describeTitleRemoval('MongoDB', open);
describeIconStore('MongoDB', open);
describeOutbox('MongoDB', open);

describe('MongoDB', () => {
  it('keeps titles, revision and outbox across a restart', async () => {
    const facts = [fact('3')];
    const records = [record('4d530064', {})];
    const first = await open();
    await first.titles.commit(commit({ revision: 3, records, facts }));
    await first.close();

    const second = await open();
    expect(await second.titles.read()).toEqual({ revision: 3, records });
    expect(await second.outbox.pending(1)).toMatchObject(facts);
    await second.close();
  });

  it('serializes concurrent commits of several processes without losing one', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const committed: number[] = [];
    await Promise.all(
      stores.map(async (store, replica) => {
        for (let commits = 0; commits < 10;) {
          const expectedRevision = await store.titles.revision();
          const revision = expectedRevision + 1;
          const facts = [fact(String(revision))];
          const records = [record(`0000000${replica}`, { name: `at ${revision}` })];
          if (!(await store.titles.commit({ expectedRevision, revision, records, facts }))) continue;
          committed.push(revision);
          commits += 1;
        }
      }),
    );
    const inOrder = Array.from({ length: 30 }, (_, index) => index + 1);
    expect(committed.toSorted((a, b) => a - b)).toEqual(inOrder);
    const [store] = stores;
    expect((await store.outbox.pending(100)).map(({ id }) => Number(id))).toEqual(inOrder);
    const { revision, records } = await store.titles.read();
    expect(revision).toBe(30);
    expect(records).toHaveLength(3);
    await Promise.all(stores.map((one) => one.close()));
  });

  it('stores 5,000 titles in one commit', async () => {
    const store = await open();
    const records = Array.from({ length: 5000 }, (_, index) => record(index.toString(16).padStart(8, '0'), {}));
    expect(await store.titles.commit(commit({ revision: 1, records }))).toBe(true);
    expect((await store.titles.read()).records).toHaveLength(5000);
    await store.close();
  });

  it('refuses to open a database of another network', async () => {
    await (await open()).close();
    await expect(open('elsewhere')).rejects.toThrow(/filled by the network "simulated"/);
  });
});
