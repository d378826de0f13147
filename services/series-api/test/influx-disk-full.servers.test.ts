import { randomUUID } from 'node:crypto';
import { slotObserved } from '@lobbystats/contracts';
import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { eventually, getJson } from '@lobbystats/test-kit';
import { inspectInflux } from '../src/administration/inspect.influx.ts';
import { openInfluxSeriesStore, openSqliteSeriesStore, type SeriesStore } from '../src/open-store.ts';
import { provisionInflux } from '../src/administration/provision.influx.ts';
import type { SlotObservation } from '../src/slots/snapshots.ts';
import { storeSlots } from '../src/ingest/store-slots.ts';
import { allPaths } from './all-paths.ts';
import { UNLIMITED_RETENTION } from '../testing/influx-buckets.ts';
import { influxImage, startDedicatedInflux, type DedicatedInflux } from './dedicated-influx.ts';
import { DAY, HARBOR, NOW, observation, RALLY, SLOT } from './observations.ts';
import { runSeries, type RunningSeries } from './running-series.ts';
import { stateOf } from './series-state.ts';
import { smallDisk, type SmallDisk } from './small-disk.ts';

/** Incompressible host names that exceed an allocated file page. */
const manyHosts = Object.fromEntries(Array.from({ length: 400 }, () => [randomUUID(), 1]));
const slotAt = (slot: number, matches: Record<string, number>) =>
  observation(slot, { online: 9, registered: 5, titles: { [HARBOR]: { online: 4, matches }, [RALLY]: {} } });

const earlierSlots = [slotAt(NOW - 3 * SLOT, { Ada: 1 }), slotAt(NOW - 2 * SLOT, { Ada: 2, Bob: 1 })];
/** One slot of a day with an existing shard, and one of a day without. */
const slotsWhileFull = [slotAt(NOW - SLOT, { Ada: 3, ...manyHosts }), slotAt(NOW - DAY, manyHosts)];

describe('InfluxDB with a full disk', () => {
  let disk: SmallDisk;
  let server: DedicatedInflux;
  let store: SeriesStore;
  let bus: MessageBus;
  let series: RunningSeries;
  beforeAll(async () => {
    disk = await smallDisk(await influxImage(), 64);
    server = await startDedicatedInflux({ volume: disk.volume });
    const { url, adminToken, org } = server;
    const { token } = await provisionInflux({ url, adminToken, org, rules: UNLIMITED_RETENTION, log: () => undefined });
    const options = { url, token, org, rules: UNLIMITED_RETENTION, origin: 'simulated', clock: () => NOW * 1000 };
    store = await openInfluxSeriesStore(options);
    bus = await openBus({ url: 'memory:', origin: 'simulated' });
    series = await runSeries({ store, bus });
    await series.publish(earlierSlots);
  });
  afterAll(async () => {
    await series.stop();
    await bus.close();
    await store.close();
    await server.remove();
    await disk.remove();
  });

  const statuses = async () => {
    const answers = await Promise.all(allPaths().map((path) => getJson(series.url + path)));
    return new Set(answers.map(({ status }) => status));
  };
  const stored = async (observations: readonly SlotObservation[]) => {
    const elsewhere = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
    for (const one of observations) await storeSlots(elsewhere, [{ observation: one, past: false }], NOW);
    const state = await stateOf(elsewhere);
    await elsewhere.close();
    return state;
  };

  it('serves reads, keeps slots queued, and stores them all once space is freed and the server restarted', async () => {
    expect(await stateOf(store)).toEqual(await stored(earlierSlots));
    const failedWrites = async () => (await inspectInflux({ ...server, token: server.adminToken })).failedWrites;
    expect(await failedWrites()).toBe(0);
    const facts = series.facts.length;
    await disk.fill();
    await Promise.all(slotsWhileFull.map((one) => series.bus.publish(slotObserved, one)));
    for (const one of slotsWhileFull) {
      // A read may return it from the memory of the server, but it is not stored.
      for (let delivery = 0; delivery < 3; delivery += 1) {
        await expect(storeSlots(store, [{ observation: one, past: false }], NOW)).rejects.toMatchObject({
          code: 'unavailable',
        });
      }
    }
    await expect(store.check()).rejects.toThrow('The disk of the store is full');
    expect(await statuses()).toEqual(new Set([200]));
    expect(await series.bus.depth('series-api')).toBe(slotsWhileFull.length);
    expect(series.facts).toHaveLength(facts);
    expect(await failedWrites()).toBeGreaterThan(0);

    await disk.freeSpace();
    // The server appends after a torn WAL entry, which only the next start truncates: restart twice without writes between.
    await series.stop();
    await server.killAndRestart();
    await server.killAndRestart();
    series = await runSeries({ store, bus });
    const takenIn = async () => expect(await bus.depth('series-api')).toBe(0);
    await eventually(takenIn);
    await store.check();
    expect(series.facts.length).toBeGreaterThanOrEqual(facts + slotsWhileFull.length);
    const whole = await stored([...earlierSlots, ...slotsWhileFull]);
    expect(await stateOf(store)).toEqual(whole);
    expect(await failedWrites()).toBe(0);
    await server.killAndRestart();
    expect(await stateOf(store)).toEqual(whole);
  });
});
