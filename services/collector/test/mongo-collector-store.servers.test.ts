import type { PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { openMongoCollectorStore } from '../src/adapters/mongo/open-mongo-collector-store.ts';
import type { CollectorStore } from '../src/domain/collector-store.ts';
import { boardStoreContract } from './board-store.contract.ts';
import { collectorStoreContract } from './collector-store.contract.ts';
import { playerFillStoreContract } from './player-fill-store.contract.ts';
import { mongoSlots } from './mongo-slots.ts';

const SLOT = 1_800_000_000;
const lease = { holder: 'ada', nowMs: SLOT * 1000, untilMs: SLOT * 1000 + 15_000 };

let slots: PreparedMongo;
beforeAll(async () => {
  slots = await mongoSlots('test_slots');
});
beforeEach(() => slots.empty());
afterAll(() => slots.empty());

const open = (origin = 'simulated') => openMongoCollectorStore(slots.url, origin);

describe('the collector’s store in MongoDB', () => {
  collectorStoreContract(() => Promise.all([open(), open()]));
  boardStoreContract(() => Promise.all([open(), open()]));
  playerFillStoreContract(() => Promise.all([open(), open()]));

  it('tells one of four replicas that the last of 200 titles was had, whoever reads them', async () => {
    const stores = await Promise.all([open(), open(), open(), open()]);
    const titleIds = Array.from({ length: 200 }, (_, index) => index.toString(16).padStart(8, '0'));
    const home = { registered: 1, online: 1, titles: [] };
    const opened = await Promise.all(stores.map((store) => store.slots.open(SLOT, SLOT * 1000 + 120_000, lease)));
    expect(opened.filter(Boolean)).toHaveLength(1);
    const put = await Promise.all(stores.map((store) => store.slots.putHome(SLOT, home, titleIds)));
    expect(put.filter(Boolean)).toHaveLength(1);

    // Each title by two replicas, as a job that comes again.
    const putAs = (store: CollectorStore, players: number) => (titleId: string) =>
      store.slots.putMatches(SLOT, titleId, [{ host: 'ada', players, maxPlayers: 8 }]);
    const left = await Promise.all(
      stores.flatMap((store, replica) =>
        titleIds.filter((_, index) => [index % 4, (index + 1) % 4].includes(replica)).map(putAs(store, replica)),
      ),
    );
    expect(left.filter((count) => count !== undefined)).toHaveLength(200);
    expect(left.filter((count) => count === 0)).toHaveLength(1);
    expect((await stores[0].slots.content(SLOT))?.matches.size).toBe(200);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('keeps what a slot says when it is longer than a document may be', async () => {
    const store = await open();
    const matches = Array.from({ length: 100_000 }, (_, index) => ({
      host: `${index}`.padEnd(200, '🏁'),
      players: 1,
      maxPlayers: 8,
    }));
    const titles = [{ titleId: '4d530064', online: 1, sessions: 1, players: 1, matches }];
    const observation = { slot: '2027-01-15T08:00:00Z', registered: null, online: 1, titles };
    await store.slots.open(SLOT, SLOT * 1000 + 120_000, lease);
    expect(await store.slots.finish(SLOT, observation, lease)).toBe(true);
    expect(await store.slots.finished(SLOT)).toEqual(observation);
    await store.slots.published(SLOT);
    await store.close();
  });

  it('remembers nothing of a page that is too long for it', async () => {
    const store = await open();
    const url = 'http://network.example/';
    await store.pages.remember(url, { etag: '"1"', lastModified: null, reading: '{}' });
    await store.pages.remember(url, { etag: '"2"', lastModified: null, reading: 'x'.repeat(17_000_000) });
    expect(await store.pages.recall(url)).toBeUndefined();
    await store.close();
  });

  it('is refused to another network', async () => {
    await (await open()).close();
    await expect(open('elsewhere')).rejects.toThrow(/NETWORK_ORIGIN/);
  });

  it('says when it can’t be had', async () => {
    const store = await open();
    await store.check();
    await store.close();
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
