import { observedTitle } from '@lobbystats/test-kit';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoCollectorStore } from '../src/collector-store.mongo.ts';
import { boardStoreContract } from './board-store.contract.ts';
import { collectorStoreContract } from './collector-store.contract.ts';
import { forgettingContract } from './forgetting.contract.ts';
import { playerBackfillStoreContract } from './player-backfill-store.contract.ts';
import { prepareCollectorDatabase } from './collector-database.ts';

const SLOT = 1_800_000_000;

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

  it('stores an observation that is larger than a MongoDB document', async () => {
    const store = await open();
    // 17 MB. Suites share the server's cache, which must hold a transaction.
    const matches = Array.from({ length: 40_000 }, (_, index) => ({
      host: `${index}`.padEnd(200, '🏁'),
      players: 1,
      maxPlayers: 8,
    }));
    const titles = [observedTitle({ titleId: '4d530064', online: 1, matches })];
    const observation = { slot: '2027-01-15T08:00:00Z', registered: null, online: 1, titles };
    await store.slots.open(SLOT, SLOT * 1000 + 120_000);
    expect(await store.slots.finish(SLOT, observation)).toBe(true);
    expect(await store.slots.finishedObservation(SLOT)).toEqual(observation);
    await store.slots.markPublished(SLOT);
    await store.close();
  });

  it('does not cache a page that is larger than a MongoDB document', async () => {
    const store = await open();
    const url = 'http://network.example/';
    await store.pages.put(url, { etag: '"1"', lastModified: null, reading: '{}' }, 0);
    await store.pages.put(url, { etag: '"2"', lastModified: null, reading: 'x'.repeat(17_000_000) }, 0);
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
