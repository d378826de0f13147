import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DAY_SECONDS, operations, SLOT_SECONDS, slotObserved } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/message-bus';
import { seriesApi } from '@lobbystats/series-api';
import { createTestBuckets } from '@lobbystats/series-api/influx-buckets';
import type { SeriesStore } from '@lobbystats/series-api/series-store';
import { openSqliteSeriesStore } from '@lobbystats/series-api/series-store.sqlite';
import { storeSlots } from '@lobbystats/series-api/store-slots';
import { titleTotalsReader } from '@lobbystats/series-api/title-totals';
import { silentLogger } from '@lobbystats/service-kit';
import { createSimulator } from '@lobbystats/simulator';
import { median } from '../benchmark.ts';
import { observedSlot } from '../observed-slot.ts';
import { cpuOf, cpuWithServer, ownCpuMs } from './cost.ts';
import type { Part, PartContext } from './part.ts';
import { testServers } from '@lobbystats/test-kit';
import { readCosts } from './read-costs.ts';
import { networkOf } from './scale.ts';
import { containerAt, type ContainerFigures } from './container-figures.ts';
import { influxDiskMb } from './influx-disk.ts';

const DAYS = Number(process.env['BENCH_GROWTH_DAYS'] ?? 30);
const BATCH = 256;
const LIVE_SLOTS = 5;
const POLL_MS = 20;
const FIRST_READS = 5;
/** Other load of the machine must not fail a measurement. */
const SERVER_TIMEOUT_MS = 60_000;
const NOON = DAY_SECONDS / 2;

/** series-api: live slots beside one and 30 days of history, and reads. */
export const seriesPart: Part = {
  forms: ['standalone', 'distributed'],
  run: async (context) => {
    const { scale, stack, measure, say } = context;
    const { store, figures, diskMb } = await openSeries(context);
    const { world } = createSimulator(networkOf(scale));
    // A day's work grows with the time of day: noon is the mean.
    const today = Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS - DAY_SECONDS;
    let now = today + NOON;
    const bus = await openBus({ url: 'memory:', origin: 'simulated' });
    stack.defer(() => bus.close());
    const config = seriesApi.readConfig({ PORT: '0', METRICS_PORT: '0' });
    const clock = () => now * 1000;
    const api = await seriesApi.create(config, { store, bus, clock, logger: silentLogger() });

    const storePast = async (from: number, to: number) => {
      for (let first = from; first < to; first += BATCH * SLOT_SECONDS) {
        const count = Math.min(BATCH, (to - first) / SLOT_SECONDS);
        const slots = Array.from({ length: count }, (_, index) => observedSlot(world, first + index * SLOT_SECONDS));
        spent.push(
          await cpuOf(
            () =>
              storeSlots(
                store,
                slots.map((observation) => ({ observation, past: true })),
                now,
              ),
            ownCpuMs,
          ),
        );
        slotsSpent += count;
      }
    };
    const spent: number[] = [];
    let slotsSpent = 0;
    const storeLive = async (days: string) => {
      const titles = { what: 'titles', count: scale.titles };
      const [own, server]: [number[], number[]] = [[], []];
      for (let index = 0; index < LIVE_SLOTS; index += 1) {
        const slot = observedSlot(world, now);
        const { ownMs, serverMs } = await cpuWithServer(async () => {
          await bus.publish(slotObserved, slot);
          while ((await bus.depth('series-api')) > 0) await wait(POLL_MS);
        }, figures?.cpuMs);
        own.push(ownMs);
        server.push(serverMs);
        if (index === 0) measure('slot.observed', { unit: 'bytes', amount: JSON.stringify(slot).length, per: titles });
        now += SLOT_SECONDS;
      }
      measure(`a live slot, ${days} stored`, { unit: 'CPU ms', amount: median(own), per: titles });
      if (figures)
        measure(`a live slot, ${days} stored: server`, { unit: 'CPU ms', amount: median(server), per: titles });
    };

    await storePast(today, now);
    stack.defer(() => api.stop());
    await api.start();
    await storeLive('half a day');
    // The older days, newest batch last, as a backfill does.
    for (let day = 1; day < DAYS; day += 1) await storePast(today - day * DAY_SECONDS, today - (day - 1) * DAY_SECONDS);
    measure('a slot of the backfill', {
      unit: 'CPU ms',
      amount: spent.reduce((sum, ms) => sum + ms, 0) / slotsSpent,
      per: { what: 'titles', count: scale.titles },
    });
    await storeLive(`${DAYS} days`);
    say(`${slotsSpent} slots are stored`);
    measure('disk of 30 days', {
      unit: 'MB',
      amount: ((await diskMb()) * 30) / DAYS,
      per: { what: 'titles', count: scale.titles },
    });
    if (figures) measure('memory of InfluxDB', { unit: 'MB', amount: await figures.memoryMb() });

    const titleIds = world.titlesAt(now).map(({ titleId }) => titleId);
    const some = Array.from({ length: 20 }, (_, index) => titleIds[(index * 7) % titleIds.length] ?? '');
    const port = Number(new URL(api.url()).port);
    const costs = readCosts(stack, { port, measure, ...(figures && { serverCpuMs: figures.cpuMs }) });
    const ofTitle = (path: string, query: string) => some.map((titleId) => path.replace(':titleId', titleId) + query);
    const titles = { what: 'titles', count: scale.titles };
    await costs.read("a title's 30 days", ofTitle(operations.getTitleOnlineHistory.path, '?hours=720'));
    await costs.read("a title's matches of 30 days", ofTitle(operations.getMatchHistory.path, '?hours=720&limit=100'));
    await costs.read("a title's daily statistics", ofTitle(operations.getDailyStats.path, ''));
    await costs.read('the site of 30 days', [`${operations.getOnlineSeries.path}?days=30`]);
    await costs.read('now', [operations.getNow.path], titles);
    await costs.read('the newest activity', [operations.getLatestActivity.path], titles);
    const month = { after: now - 30 * DAY_SECONDS, until: now };
    const first: number[] = [];
    for (let sample = 0; sample < FIRST_READS; sample += 1) {
      const { ownMs, serverMs } = await cpuWithServer(() => titleTotalsReader(store)([month], now), figures?.cpuMs);
      first.push(ownMs + serverMs);
    }
    // Later requests share it: they are measured next.
    measure('all titles of 30 days, read once a slot', { unit: 'CPU ms', amount: median(first), per: titles });
    await costs.read('the summary of 7 days', [`${operations.getOnlineSummary.path}?period=7d`], titles);
    await costs.read('the ranking of 30 days', [`${operations.getRanking.path}?period=30d`], titles);
  },
};

interface OpenSeries {
  readonly store: SeriesStore;
  readonly figures: ContainerFigures | undefined;
  readonly diskMb: () => Promise<number>;
}

async function openSeries({ form, stack }: PartContext): Promise<OpenSeries> {
  if (form === 'distributed') {
    const buckets = await createTestBuckets();
    stack.defer(() => buckets.remove());
    const figures = await containerAt(testServers().influxdb.url);
    const store = await buckets.open({ clock: Date.now, readMs: SERVER_TIMEOUT_MS });
    stack.defer(() => store.close());
    return { store, figures, diskMb: () => influxDiskMb(buckets.buckets.snapshots) };
  }
  const directory = await mkdtemp(join(tmpdir(), 'lobbystats-growth-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'series.sqlite');
  const store = openSqliteSeriesStore({ url: `sqlite:${path}`, origin: 'simulated' });
  stack.defer(() => store.close());
  return { store, figures: undefined, diskMb: async () => (await stat(path)).size / 1e6 };
}
