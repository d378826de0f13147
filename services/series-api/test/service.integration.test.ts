import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/service-kit/bus';
import { createMetrics, silentLogger } from '@lobbystats/service-kit';
import { openSqliteSeriesStore } from '../src/open-store.ts';
import { seriesApi } from '../src/service.ts';
import { DAY, HARBOR, NOW, SLOT } from './observations.ts';
import { runSeries, until } from './running-series.ts';

const directory = mkdtempSync(join(tmpdir(), 'series-api-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

describe('series-api', () => {
  it('reports its dependencies and its network at /readyz', async () => {
    const series = await runSeries();
    const { status, body } = await series.get('/readyz');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ready',
      service: 'series-api',
      network: { origin: 'simulated', simulated: true },
      dependencies: { store: { status: 'up' }, bus: { status: 'up' } },
    });
    await series.stop();
  });

  it('is not ready while its store is closed', async () => {
    const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
    const series = await runSeries({ store });
    await store.close();
    const { status, body } = await series.get('/readyz');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'not ready', dependencies: { store: { status: 'down' } } });
    await series.stop();
  });

  it('exposes metrics of slots, snapshots and the newest slot', async () => {
    const metrics = createMetrics('series-api');
    const series = await runSeries({ metrics });
    const titles = { [HARBOR]: { matches: { Ada: 1, Bob: 1 } } };
    await series.observe({ [NOW - SLOT]: { titles }, [NOW]: { titles }, [NOW - 31 * DAY]: { titles } });
    await series.observe({ [NOW]: {} });
    const text = await metrics.registry.metrics();
    const sample = (name: string, labels = '') =>
      new RegExp(`^lobbystats_${name}\\{${labels}.*\\} (\\S+)$`, 'm').exec(text)?.[1];
    expect(sample('slots_observed_total', 'result="stored"')).toBe('2');
    expect(sample('slots_observed_total', 'result="repeated"')).toBe('1');
    expect(sample('slots_observed_total', 'result="expired"')).toBe('1');
    expect(sample('snapshots_stored_total')).toBe('6');
    expect(sample('newest_slot_timestamp_seconds')).toBe(String(NOW));
    expect(Number(sample('slot_batch_duration_seconds_count'))).toBeGreaterThan(1);
    await series.stop();
  });

  it('purges expired slots when it starts', async () => {
    const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
    const before = await runSeries({ store });
    const slots = Array.from({ length: 40 }, (_, index) => [NOW - index * SLOT, { registered: 5 }]);
    await before.observe(Object.fromEntries(slots));
    await before.stop();
    const later = NOW + 31 * DAY;
    const since = await runSeries({ store, clock: () => later * 1000 });
    await since.observe({ [later]: {} });
    await since.stop();
    const after = await runSeries({ store, clock: () => later * 1000 });
    await until(async () => (await store.slotAfter(0)) === later);
    expect((await after.get(`${operations.getDailyRegistered.path}?days=365`)).body).toContainEqual({
      date: '2027-01-15',
      registered_count: 5,
    });
    await after.stop();
    await store.close();
  });

  it('serves the same data after a restart', async () => {
    const env = { SERIES_URL: `sqlite:${join(directory, 'restarted.sqlite')}` };
    const first = await runSeries({ env });
    await first.observe({ [NOW]: { online: 4, titles: { [HARBOR]: { matches: { Ada: 1 } } } } });
    const path = operations.getMatchHistory.path.replace(':titleId', HARBOR);
    const { text } = await first.get(path);
    await first.stop();
    const second = await runSeries({ env });
    expect((await second.get(path)).text).toBe(text);
    await second.stop();
  });

  it('accepts no requests after it has stopped', async () => {
    const series = await runSeries();
    await series.stop();
    await expect(series.get(operations.getOnlineSeries.path)).rejects.toThrow();
  });

  it('releases its consumers and leaves the injected bus open when it cannot start', async () => {
    const taken = await runSeries();
    const config = seriesApi.readConfig({
      PORT: new URL(taken.url).port,
      METRICS_PORT: '0',
      SERIES_URL: `sqlite:${join(directory, 'unstarted.sqlite')}`,
    });
    const bus = await openBus({ url: 'memory:', origin: 'simulated' });
    const service = await seriesApi.create(config, { bus, logger: silentLogger() });
    await expect(service.start()).rejects.toThrow(/set PORT/);
    await expect(bus.consume({ queue: 'series-api', handlers: [] })).rejects.toThrow();
    await expect(bus.check()).resolves.toBeUndefined();
    await bus.close();
    await taken.stop();
  });

  it('refuses a store of another network', async () => {
    const SERIES_URL = `sqlite:${join(directory, 'other.sqlite')}`;
    await openSqliteSeriesStore({ url: SERIES_URL, origin: 'elsewhere' }).close();
    const config = seriesApi.readConfig({ SERIES_URL });
    await expect(seriesApi.create(config, { logger: silentLogger() })).rejects.toThrow(/NETWORK_ORIGIN/);
  });
});

describe('settings', () => {
  it('all settings have defaults', () => {
    expect(seriesApi.readConfig({})).toMatchObject({ PORT: 8081, SERIES_URL: 'sqlite:./data/series.sqlite' });
  });

  it.each([
    ['sqlite:', /SERIES_URL must be sqlite:PATH or a URL/],
    ['postgres://name:password@127.0.0.1/series', /SERIES_URL must be sqlite:PATH or a URL/],
  ])('SERIES_URL=%s is rejected without quoting it', (url, message) => {
    const read = () => seriesApi.readConfig({ SERIES_URL: url, PORT: 'x' });
    expect(read).toThrow(message);
    expect(read).toThrow(/PORT must be/);
    expect(read).not.toThrow(/password/);
  });
});
