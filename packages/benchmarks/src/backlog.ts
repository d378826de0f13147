import { setTimeout as wait } from 'node:timers/promises';
import { InfluxDB } from '@influxdata/influxdb-client';
import {
  formatTimestamp,
  operations,
  SLOT_SECONDS,
  slotObserved,
  slotOf,
  SNAPSHOT_RETENTION_SECONDS,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { openBus } from '@lobbystats/message-bus';
import { seriesApi } from '@lobbystats/series-api';
import { silentLogger } from '@lobbystats/service-kit';
import { createSimulator } from '@lobbystats/simulator';
import { testServers, type SlotObservation } from '@lobbystats/test-kit';
import { connect, type Channel, type ConsumeMessage } from 'amqplib';
import { createVhost } from '@lobbystats/test-kit/test-vhost';
import { BUCKET_RULES } from '@lobbystats/series-api/buckets';
import { readSlot } from '@lobbystats/series-api/snapshots';
import { createTestBuckets, type TestBuckets } from '@lobbystats/series-api/influx-buckets';
import { bareLines, bareWrite, type BareInflux } from './bare-influx.ts';
import { measureMs, type Benchmark } from './benchmark.ts';
import { areServersConfigured } from './are-servers-configured.ts';
import { observedSlot } from './observed-slot.ts';

const SLOTS = Number(process.env['BENCH_BACKLOG_SLOTS'] ?? SNAPSHOT_RETENTION_SECONDS / SLOT_SECONDS);
/** The batch size and prefetch of series-api. */
const BATCH = 256;
const PREFETCH = 2 * BATCH;
const PUBLISHED_AT_ONCE = 64;
const POLL_MS = 50;
const TIME_BOUND = 3;
const PEER_QUEUE = 'bench.peer';

/**
 * Both queues have the same messages. The peer consumes one half before series-api and the other half after it,
 * so that other load of the machine affects both.
 */
export const backlog: Benchmark = {
  name: 'backlog',
  description: `series-api stores a backlog of ${SLOTS} slots, on RabbitMQ and InfluxDB`,
  promise: 'series-api catches up after an outage at least a third as fast as a bare consumer that only writes',
  run: async (say) => {
    if (!areServersConfigured(['rabbitmq', 'influxdb'], say)) return [];
    const vhost = await createVhost('series-api');
    const [serviceBuckets, peerBuckets] = [await createTestBuckets(BUCKET_RULES), await createTestBuckets()];
    try {
      const { newest, bytes } = await publishBacklog(vhost.url, say);
      const bare = bareInfluxOf(peerBuckets);
      const half = Math.floor(SLOTS / 2);
      const before = await measureMs(() => consumeBare(vhost.url, bare, half));
      say(`the bare consumer took ${(before / 1000).toFixed(1)} s for its first half`);
      const serviceMs = await consumeAsService(vhost.url, serviceBuckets, newest);
      say(`series-api took ${(serviceMs / 1000).toFixed(1)} s`);
      const peerMs = before + (await measureMs(() => consumeBare(vhost.url, bare, SLOTS - half)));
      const rate = (ms: number) => `${(ms / 1000).toFixed(1)} s (${Math.round((SLOTS / ms) * 1000)} slots/s)`;
      return [
        {
          what: `from series-api's start to ${SLOTS} slots of ${(bytes / SLOTS / 1024).toFixed(0)} KB stored and done with`,
          measured: rate(serviceMs),
          reference: `a bare consumer that writes the same lines ${rate(peerMs)}`,
          ratio: serviceMs / peerMs,
          bound: TIME_BOUND,
        },
      ];
    } finally {
      await vhost.remove();
      await serviceBuckets.remove();
      await peerBuckets.remove();
    }
  },
};

/** Publishes the oldest slot first. @returns the newest slot and the size of all messages */
async function publishBacklog(
  url: string,
  say: (line: string) => void,
): Promise<{ newest: EpochSeconds; bytes: number }> {
  const { world } = createSimulator();
  const model = await connect(url);
  const channel = await model.createChannel();
  await channel.assertQueue(PEER_QUEUE, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.bindQueue(PEER_QUEUE, slotObserved.exchange, slotObserved.key);
  await model.close();

  const bus = await openBus({ url, origin: 'simulated' });
  const newest = slotOf(Date.now() / 1000);
  const oldest = newest - (SLOTS - 1) * SLOT_SECONDS;
  let bytes = 0;
  for (let done = 0; done < SLOTS; done += PUBLISHED_AT_ONCE) {
    const count = Math.min(PUBLISHED_AT_ONCE, SLOTS - done);
    const slots = Array.from({ length: count }, (_, index) => {
      return observedSlot(world, oldest + (done + index) * SLOT_SECONDS);
    });
    bytes += slots.reduce((sum, slot) => sum + Buffer.byteLength(JSON.stringify(slot)), 0);
    await Promise.all(slots.map((slot) => bus.publish(slotObserved, slot)));
    if (Math.floor((done / SLOTS) * 4) < Math.floor(((done + count) / SLOTS) * 4)) {
      say(`${done + count} of ${SLOTS} slots wait (${(bytes / 1e6).toFixed(0)} MB)`);
    }
  }
  await bus.close();
  return { newest, bytes };
}

/** @returns the milliseconds from the start of series-api until its queue is empty and all slots can be read */
async function consumeAsService(url: string, buckets: TestBuckets, newest: EpochSeconds): Promise<number> {
  const stack = new AsyncDisposableStack();
  try {
    return await measureMs(async () => {
      const store = await buckets.open({ clock: Date.now, rules: BUCKET_RULES });
      stack.defer(() => store.close());
      const bus = await openBus({ url, origin: 'simulated', service: 'series-api' });
      stack.defer(() => bus.close());
      const config = seriesApi.readConfig({ PORT: '0', METRICS_PORT: '0' });
      const api = await seriesApi.create(config, { store, bus, logger: silentLogger() });
      stack.defer(() => api.stop());
      await api.start();
      while ((await bus.depth('series-api')) > 0) await wait(POLL_MS);
      await expectAll(api.url(), newest);
    });
  } finally {
    await stack.disposeAsync();
  }
}

/** @throws Error if a slot is missing. The oldest ones may have expired since they were published. */
async function expectAll(url: string, newest: EpochSeconds): Promise<void> {
  const response = await fetch(`${url}${operations.getOnlineSeries.path}?days=30`);
  const read = (await response.json()) as { recorded_at: string }[];
  const retentionStart = Date.now() / 1000 - SNAPSHOT_RETENTION_SECONDS;
  const retainedSlots = Math.min(SLOTS, Math.ceil((newest - retentionStart) / SLOT_SECONDS));
  if (read.length < retainedSlots || read.at(-1)?.recorded_at !== formatTimestamp(newest)) {
    throw new Error(`of ${SLOTS} slots ${read.length} can be read`);
  }
}

function bareInfluxOf({ token, buckets }: TestBuckets): BareInflux {
  const { url, org } = testServers().influxdb;
  return { client: new InfluxDB({ url, token }), org, bucket: buckets.snapshots };
}

/** Consumes, writes and acknowledges `count` slots in batches, and nothing else. */
async function consumeBare(url: string, influx: BareInflux, count: number): Promise<void> {
  const model = await connect(url);
  const channel = await model.createChannel();
  await channel.prefetch(PREFETCH);
  const waiting: ConsumeMessage[] = [];
  let left = count;
  await new Promise<void>((resolve, reject) => {
    let isWriting = false;
    const drain = async () => {
      await Promise.resolve();
      while (waiting.length > 0 && left > 0) {
        left -= await storeBatch(channel, influx, waiting.splice(0, Math.min(BATCH, left)));
      }
      isWriting = false;
      if (left === 0) resolve();
    };
    const take = (message: ConsumeMessage | null) => {
      if (message === null) return;
      waiting.push(message);
      if (isWriting) return;
      isWriting = true;
      drain().catch(reject);
    };
    channel.consume(PEER_QUEUE, take).catch(reject);
  });
  await model.close();
}

async function storeBatch(channel: Channel, influx: BareInflux, batch: ConsumeMessage[]): Promise<number> {
  const lines = batch.flatMap(({ content }) => {
    const { data } = JSON.parse(content.toString()) as { data: SlotObservation };
    return bareLines(readSlot(data));
  });
  await bareWrite(influx, lines);
  for (const message of batch) channel.ack(message);
  return batch.length;
}
