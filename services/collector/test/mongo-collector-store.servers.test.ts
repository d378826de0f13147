import { forEachBounded } from '@lobbystats/service-kit/concurrency';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoCollectorStore } from '../src/database/collector-store.mongo.ts';
import { maxConcurrentPages } from '../src/slots/collect-page.ts';
import { boardStoreContract } from './board-store.contract.ts';
import { collectorStoreContract } from './collector-store.contract.ts';
import { forgettingContract } from './forgetting.contract.ts';
import { playerBackfillStoreContract } from './player-backfill-store.contract.ts';
import { prepareCollectorDatabase } from './collector-database.ts';

const SLOT = 1_800_000_000;
const lease = { holder: 'ada', nowMs: SLOT * 1000, untilMs: SLOT * 1000 + 15_000 };

let slots: TestDatabase;
beforeAll(async () => {
  slots = await prepareCollectorDatabase('test_slots');
});
beforeEach(() => slots.clear());
afterAll(() => slots.clear());

const open = (origin = 'simulated') => openMongoCollectorStore(slots.url, origin);

describe('MongoDB collector store', () => {
  collectorStoreContract(() => Promise.all([open(), open()]));
  boardStoreContract(() => Promise.all([open(), open()]));
  forgettingContract(() => Promise.all([open(), open()]));
  playerBackfillStoreContract(() => Promise.all([open(), open()]));

  it('reports the last of 200 titles to exactly one of four replicas', async () => {
    const stores = await Promise.all([open(), open(), open(), open()]);
    const titleIds = Array.from({ length: 200 }, (_, index) => index.toString(16).padStart(8, '0'));
    const home = { registered: 1, online: 1, titles: [] };
    const opened = await Promise.all(stores.map((store) => store.slots.open(SLOT, SLOT * 1000 + 120_000, lease)));
    expect(opened.filter(Boolean)).toHaveLength(1);
    const put = await Promise.all(stores.map((store) => store.slots.putHome(SLOT, home, titleIds)));
    expect(put.filter(Boolean)).toHaveLength(1);

    // Two replicas store each title, like a redelivered job; each has as many in flight as a collector reads pages.
    const left: ('last' | 'more' | undefined)[] = [];
    await Promise.all(
      stores.map((store, replica) => {
        const assigned = titleIds.filter((_, index) => [index % 4, (index + 1) % 4].includes(replica));
        return forEachBounded(assigned, maxConcurrentPages(0), async (titleId) => {
          left.push(await store.slots.putMatches(SLOT, titleId, [{ host: 'ada', players: replica, maxPlayers: 8 }]));
        });
      }),
    );
    expect(left.filter((stored) => stored !== undefined)).toHaveLength(200);
    expect(left.filter((stored) => stored === 'last')).toHaveLength(1);
    expect((await stores[0].slots.content(SLOT))?.matches.size).toBe(200);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('stores an observation that is larger than a MongoDB document', async () => {
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
    expect(await store.slots.finishedObservation(SLOT)).toEqual(observation);
    await store.slots.markPublished(SLOT);
    await store.close();
  });

  it('does not cache a page that is larger than a MongoDB document', async () => {
    const store = await open();
    const url = 'http://network.example/';
    await store.pages.put(url, { etag: '"1"', lastModified: null, reading: '{}' });
    await store.pages.put(url, { etag: '"2"', lastModified: null, reading: 'x'.repeat(17_000_000) });
    expect(await store.pages.get(url)).toBeUndefined();
    await store.close();
  });

  it('refuses to open for another NETWORK_ORIGIN', async () => {
    await (await open()).close();
    await expect(open('elsewhere')).rejects.toThrow(/NETWORK_ORIGIN/);
  });

  it('rejects check() as unavailable when the store is closed', async () => {
    const store = await open();
    await store.check();
    await store.close();
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
