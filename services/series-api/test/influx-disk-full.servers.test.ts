import { randomUUID } from 'node:crypto';
import { slotObserved } from '@lobbystats/contracts';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import { eventually, getJson } from '@lobbystats/test-kit';
import { openInfluxSeriesStore } from '../src/adapters/influx/influx-series-store.ts';
import { provisionInflux } from '../src/adapters/influx/provision-influx.ts';
import { openSqliteSeriesStore } from '../src/adapters/sqlite/sqlite-series-store.ts';
import type { SeriesStore } from '../src/domain/series-store.ts';
import type { SlotObservation } from '../src/domain/snapshots.ts';
import { storeSlots } from '../src/domain/store-slots.ts';
import { everyPath } from './every-path.ts';
import { FOR_EVER } from './influx-buckets.ts';
import { influxImage, ownInflux, type OwnInflux } from './influx-server.ts';
import { DAY, HARBOR, NOW, observation, RALLY, SLOT } from './observations.ts';
import { runSeries, type RunningSeries } from './running-series.ts';
import { stateOf } from './series-state.ts';
import { smallDisk, type SmallDisk } from './small-disk.ts';

/** More than fits into a page that a file has already: hosts that nothing can compress. */
const crowd = Object.fromEntries(Array.from({ length: 400 }, () => [randomUUID(), 1]));
const slotAt = (slot: number, matches: Record<string, number>) =>
  observation(slot, { online: 9, registered: 5, titles: { [HARBOR]: { online: 4, matches }, [RALLY]: {} } });

const before = [slotAt(NOW - 3 * SLOT, { Ada: 1 }), slotAt(NOW - 2 * SLOT, { Ada: 2, Bob: 1 })];
/** One of a day that the server has a place for, and one of a day that it hasn't. */
const meanwhile = [slotAt(NOW - SLOT, { Ada: 3, ...crowd }), slotAt(NOW - DAY, crowd)];

describe('an InfluxDB whose disk is full', () => {
  let disk: SmallDisk;
  let server: OwnInflux;
  let store: SeriesStore;
  let bus: MessageBus;
  let series: RunningSeries;
  beforeAll(async () => {
    disk = await smallDisk(await influxImage(), 64);
    server = await ownInflux({ volume: disk.volume });
    const { url, adminToken, org } = server;
    const { token } = await provisionInflux({ url, adminToken, org, rules: FOR_EVER, log: () => undefined });
    const given = { url, token, org, rules: FOR_EVER, origin: 'simulated', clock: () => NOW * 1000 };
    store = await openInfluxSeriesStore(given);
    bus = await openBus({ url: 'memory:', origin: 'simulated' });
    series = await runSeries({ store, bus });
    await series.publish(before);
  }, 60_000);
  afterAll(async () => {
    await series.stop();
    await bus.close();
    await store.close();
    await server.remove();
    await disk.remove();
  });

  const statuses = async () => {
    const answers = await Promise.all(everyPath().map((path) => getJson(series.url + path)));
    return new Set(answers.map(({ status }) => status));
  };
  const stored = async (observations: readonly SlotObservation[]) => {
    const elsewhere = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
    for (const one of observations) await storeSlots(elsewhere, [{ observation: one, past: false }], NOW);
    const state = await stateOf(elsewhere);
    await elsewhere.close();
    return state;
  };

  it('answers readers, keeps slots waiting, and has them all once there is room and it was started again', async () => {
    expect(await stateOf(store)).toEqual(await stored(before));
    const facts = series.facts.length;
    await disk.fill();
    await Promise.all(meanwhile.map((one) => series.bus.publish(slotObserved, one)));
    for (const one of meanwhile) {
      // Whoever reads may see it now, for it stands in the server's memory: it is not stored for that.
      for (let delivery = 0; delivery < 3; delivery += 1) {
        await expect(storeSlots(store, [{ observation: one, past: false }], NOW)).rejects.toMatchObject({
          code: 'unavailable',
        });
      }
    }
    expect(await statuses()).toEqual(new Set([200]));
    expect(await series.bus.depth('series-api')).toBe(meanwhile.length);
    expect(series.facts).toHaveLength(facts);

    await disk.makeRoom();
    // Behind what it couldn't write to its log whole, the server writes where its next start finds it only when the one before
    // has cut that off: and nobody may have written in between.
    await series.stop();
    await server.killAndStart();
    await server.killAndStart();
    series = await runSeries({ store, bus });
    const takenIn = async () => expect(await bus.depth('series-api')).toBe(0);
    await eventually(takenIn, { timeoutMs: 40_000 });
    expect(series.facts.length).toBeGreaterThanOrEqual(facts + meanwhile.length);
    const whole = await stored([...before, ...meanwhile]);
    expect(await stateOf(store)).toEqual(whole);
    await server.killAndStart();
    expect(await stateOf(store)).toEqual(whole);
  }, 60_000);
});
