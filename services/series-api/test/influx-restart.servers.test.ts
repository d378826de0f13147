import { hasCode } from '@lobbystats/contracts/errors';
import { eventually, getJson } from '@lobbystats/test-kit';
import { openInfluxSeriesStore, type SeriesStore } from '../src/open-store.ts';
import type { InfluxSeriesOptions } from '../src/database/open.influx.ts';
import { provisionInflux } from '../src/administration/provision.influx.ts';
import { storeSlots } from '../src/ingest/store-slots.ts';
import { allPaths } from './all-paths.ts';
import { startDedicatedInflux, type DedicatedInflux } from './dedicated-influx.ts';
import { HARBOR, observation, SLOT } from './observations.ts';
import { runSeries } from './running-series.ts';

const SLOTS = 60;
const BATCH = 3;

describe('InfluxDB that is killed or paused', () => {
  let server: DedicatedInflux;
  let store: SeriesStore;
  let options: InfluxSeriesOptions;
  const now = Math.floor(Date.now() / 1000);
  beforeAll(async () => {
    server = await startDedicatedInflux();
    const { url, adminToken, org } = server;
    const { token } = await provisionInflux({ url, adminToken, org, log: () => undefined });
    options = { url, token, org, origin: 'simulated', clock: Date.now };
    store = await openInfluxSeriesStore({ ...options, readMs: 1000, writeMs: 1000 });
  });
  afterAll(async () => {
    await store.close();
    await server.remove();
  });

  it('stores every slot completely when the server is killed and paused during ingest', async () => {
    const newest = Math.floor(now / SLOT) * SLOT;
    const slots = Array.from({ length: SLOTS }, (_, index) => newest - (SLOTS - 1 - index) * SLOT);
    const batches = Array.from({ length: SLOTS / BATCH }, (_, index) =>
      slots.slice(index * BATCH, (index + 1) * BATCH),
    );
    const harm = new Map<number, () => Promise<unknown>>([
      [5, () => server.killAndRestart()],
      [10, () => server.pause().then(() => setTimeout(() => void server.unpause(), 1500))],
      [15, () => server.killAndRestart()],
    ]);
    let faults = 0;
    for (const [index, batch] of batches.entries()) {
      const harmed = harm.get(index)?.();
      const observed = batch.map((slot) => {
        const sketch = { online: 7, titles: { [HARBOR]: { online: 7, matches: { Ada: 2, Bob: 3 } } } };
        return { observation: observation(slot, sketch), past: false };
      });
      for (let stored = false; !stored;) {
        stored = await storeSlots(store, observed, now).then(
          () => true,
          (error: unknown) => {
            if (!hasCode(error, 'unavailable')) throw error;
            faults += 1;
            return false;
          },
        );
      }
      await harmed;
    }
    const period = { after: 0, until: now };
    expect(faults).toBeGreaterThan(0);
    expect(await store.siteOnline(period)).toEqual(slots.map((slot) => [slot, 7]));
    expect(await store.titleOnline(HARBOR, period)).toEqual(slots.map((slot) => [slot, 7]));
    const run = { titleId: HARBOR, startedAt: slots[0], endedAt: newest, maxPlayers: 8 };
    const runs = await store.runsBetween(0, now);
    expect(runs.toSorted((a, b) => a.players - b.players)).toEqual([
      { ...run, host: 'Ada', players: 2, peakPlayers: 2 },
      { ...run, host: 'Bob', players: 3, peakPlayers: 3 },
    ]);
  });

  it('every route returns 503 while the server is paused, and recovers afterwards', async () => {
    const patient = await openInfluxSeriesStore(options);
    const series = await runSeries({ store: patient, clock: Date.now });
    const answers = () => Promise.all(allPaths().map((path) => getJson(series.url + path)));
    const before = await answers();
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200, 404]));
    await server.pause();
    try {
      for (const { status, headers, body } of await answers()) {
        expect([status, body]).toEqual([503, { error: expect.any(String) }]);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
      }
    } finally {
      await server.unpause();
    }
    await eventually(async () => {
      expect((await answers()).map(({ status }) => status)).toEqual(before.map(({ status }) => status));
    });
    await series.stop();
    await patient.close();
  });
});
