import { createCatalogApi, readCatalogApiConfig } from '@lobbystats/catalog-api';
import { formatTimestamp, operations, SLOT_SECONDS, slotOf, type EpochSeconds } from '@lobbystats/contracts';
import { createGateway, readGatewayConfig } from '@lobbystats/gateway';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import { createSeriesApi, readSeriesApiConfig } from '@lobbystats/series-api';
import { silentLogger, type ComposedService } from '@lobbystats/service-kit';
import { createSimulator } from '@lobbystats/simulator';
import { RabbitMqPlace } from '../packages/message-bus/test/rabbitmq-place.ts';
import { mongoTitles } from '../services/catalog-api/test/mongo-titles.ts';
import { createBusOutlet } from '../services/collector/src/messaging/bus-outlet.ts';
import { BUCKET_RULES } from '../services/series-api/src/adapters/influx/buckets.ts';
import { testBuckets } from '../services/series-api/test/influx-buckets.ts';
import { median, type Benchmark } from './benchmark.ts';
import { areServersNamed } from './needed-servers.ts';
import { observedSlot } from './observed-slot.ts';

/** What is there before, so that the day's statistics and matches cost what they cost. */
const DAY_BEFORE_SLOTS = 288;
const MEASURED_SLOTS = 12;
const LIMIT_MS = 2000;
const LOOK_MS = 10;
const GIVE_UP_MS = 60_000;

/** A slot's way from the collector's message over the bus, series-api and its store to the public's answer. */
export const visible: Benchmark = {
  name: 'visible',
  about: 'a slot from its publishing to its showing at the gateway, on RabbitMQ, InfluxDB and MongoDB',
  run: async (say) => {
    if (!areServersNamed(['rabbitmq', 'influxdb', 'mongodb'], say)) return [];
    const stack = new AsyncDisposableStack();
    try {
      const { url, bus } = await startSystem(stack);
      const times = await measure(url, bus, say);
      const worst = Math.max(...times);
      return [
        {
          what: `the slowest of ${times.length} slots`,
          measured: `${worst.toFixed(0)} ms (median ${median(times).toFixed(0)} ms)`,
          against: `${LIMIT_MS} ms`,
          ratio: worst / LIMIT_MS,
          bound: 1,
        },
      ];
    } finally {
      await stack.disposeAsync();
    }
  },
};

/** Series-api, catalog-api and the gateway, with what is theirs on the servers; and a bus as collectors have it. */
async function startSystem(stack: AsyncDisposableStack): Promise<{ url: string; bus: MessageBus }> {
  const place = await RabbitMqPlace.create();
  stack.defer(() => place.remove());
  const buckets = await testBuckets(BUCKET_RULES);
  stack.defer(() => buckets.remove());
  const store = await buckets.open({ clock: Date.now, rules: BUCKET_RULES });
  stack.defer(() => store.close());
  const titles = await mongoTitles('bench-catalog');
  stack.defer(() => titles.empty());

  const logger = silentLogger();
  const start = async (service: ComposedService) => {
    stack.defer(() => service.stop());
    await service.start();
    return service.url();
  };
  const env = { BUS_URL: place.url, PORT: '0', METRICS_PORT: '0', DATABASE_URL: titles.url };
  const SERIES_API_URL = await start(await createSeriesApi(readSeriesApiConfig(env), { store, logger }));
  const CATALOG_API_URL = await start(await createCatalogApi(readCatalogApiConfig(env), { logger }));
  const gateway = readGatewayConfig({ ...env, SERIES_API_URL, CATALOG_API_URL });
  const url = await start(await createGateway(gateway, { logger }));
  const bus = await openBus({ url: place.url, origin: 'simulated', service: 'collector' });
  stack.defer(() => bus.close());
  return { url, bus };
}

/** Milliseconds of each slot. */
async function measure(url: string, bus: MessageBus, say: (line: string) => void): Promise<number[]> {
  const { world } = createSimulator();
  const outlet = createBusOutlet(bus);
  const publish = (slot: EpochSeconds) => outlet.slot(observedSlot(world, slot), { past: false });
  const newest = slotOf(Date.now() / 1000);
  const first = newest - (MEASURED_SLOTS - 1) * SLOT_SECONDS;
  await Promise.all(Array.from({ length: DAY_BEFORE_SLOTS }, (_, age) => publish(first - (age + 1) * SLOT_SECONDS)));
  await untilShown(url, first - SLOT_SECONDS, DAY_BEFORE_SLOTS);
  say(`${DAY_BEFORE_SLOTS} slots before are shown`);

  const times: number[] = [];
  for (let slot = first; slot <= newest; slot += SLOT_SECONDS) {
    const began = performance.now();
    await publish(slot);
    await untilShown(url, slot);
    times.push(performance.now() - began);
  }
  return times;
}

/** Asks until the slot, and at least so many in all, are in the public's answer. */
async function untilShown(url: string, slot: EpochSeconds, least = 1): Promise<void> {
  const giveUp = performance.now() + GIVE_UP_MS;
  for (;;) {
    const response = await fetch(`${url}${operations.getOnlineSeries.path}?days=2`);
    const shown = (await response.json()) as { recorded_at: string }[];
    if (shown.length >= least && shown.at(-1)?.recorded_at === formatTimestamp(slot)) return;
    if (performance.now() > giveUp) throw new Error(`the slot ${formatTimestamp(slot)} is not shown`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
