import { setTimeout as elapse } from 'node:timers/promises';
import { DAY_SECONDS, MATCH_GAP_SECONDS, operations, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/message-bus';
import { createSeriesApi, readSeriesApiConfig } from '@lobbystats/series-api';
import { silentLogger } from '@lobbystats/service-kit';
import { testServers } from '@lobbystats/test-kit';
import { BUCKET_RULES } from '../services/series-api/src/adapters/influx/buckets.ts';
import { waitFor } from '../services/series-api/src/adapters/influx/wait-for.ts';
import type { SeriesStore } from '../services/series-api/src/domain/series-store.ts';
import { testBuckets } from '../services/series-api/test/influx-buckets.ts';
import { median, p99, type Benchmark, type Finding } from './benchmark.ts';
import { monthOfSlots, titleIdOf } from './month-of-slots.ts';
import { areServersNamed } from './needed-servers.ts';
import { startAskers } from './peers/askers.ts';
import { captureAnswer } from './peers/bare-server.ts';
import { CACHE_BYTES, startGateway } from './peers/gateway.ts';
import { requestOf, sendLoad, startLoad } from './peers/load.ts';
import { canMeasureProcesses } from './peers/own-process.ts';
import { startTurnstile } from './peers/turnstile.ts';

const DAYS = 30;
const LOOPS = 10;
/** And one before them, which warms all up. In each of them nobody asks for a while, then analysts do. */
const ROUNDS = 4;
const SENDINGS = 4;
const SENDING_SECONDS = 6;
/** Until questions are under way, and what the turnstile has put by for them is used up. */
const UNDER_WAY_MS = 6000;
/** How long a batch is tried to be stored on a machine that does other things. */
const FILL_MS = 120_000;
/** Requests a second in each round: as often as ten times the expected load has misses, and of hits enough for a 99th percentile. */
const READS = { perSecond: 10, connections: 16 };
const HITS = { perSecond: 400, connections: 32 };
const READS_BOUND = 2;
const HITS_BOUND = 1.1;

/** What series-api asks InfluxDB for most: a title's day, the site's month, who is online. */
const PATHS = [
  `${operations.getTitleOnlineHistory.path.replace(':titleId', titleIdOf(7))}?hours=24`,
  `${operations.getOnlineSeries.path}?days=1`,
  `${operations.getOnlineSeries.path}?days=${DAYS}`,
  `${operations.getLobbySeries.path}?days=1`,
];

/** The public's reads while analysts ask the heaviest questions without end, beside the same while nobody does. */
export const analysts: Benchmark = {
  name: 'analysts',
  about: `hits and InfluxDB's reads beside ${LOOPS} loops of an analyst's heaviest questions over ${DAYS} days of 200 titles`,
  isLong: true,
  run: async (say) => {
    if (!areServersNamed(['influxdb'], say) || !canMeasureProcesses(say)) return [];
    const stack = new AsyncDisposableStack();
    try {
      const place = await testBuckets(BUCKET_RULES);
      stack.defer(() => place.remove());
      const store = await place.open({ clock: Date.now, rules: BUCKET_RULES });
      stack.defer(() => store.close());
      say(`filling ${DAYS} days`);
      await fill(store);
      const ports = await startServices(store, stack);
      const load = startLoad(stack, 'any');
      // The first core is InfluxDB's and the turnstile's, as docker-compose.yml has it. What analysts cost is on their own machines.
      const askers = startAskers(stack);
      const turnstile = await startTurnstile(testServers().influxdb.url, stack);
      const asking = { url: `http://127.0.0.1:${turnstile}`, token: place.token, buckets: place.buckets };
      const latencies = { quiet: { hits: [], reads: [] }, asked: { hits: [], reads: [] } } as Latencies;
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const [kind, loops] of [
          ['quiet', 0],
          ['asked', LOOPS],
        ] as const) {
          await askers.begin({ ...asking, loops });
          await elapse(UNDER_WAY_MS);
          for (let sending = 0; sending < SENDINGS; sending += 1) {
            const send = { seconds: SENDING_SECONDS, status: 200 };
            const reads = { ...send, ...READS, port: ports.series, requests: PATHS.map((path) => requestOf(path)) };
            const hits = { ...send, ...HITS, port: ports.gateway, requests: [requestOf(PATHS[1] ?? '')] };
            const measured = { reads: await sendLoad(load, reads), hits: await sendLoad(load, hits) };
            if (round === 0) continue;
            latencies[kind].reads.push(...measured.reads.latenciesMs);
            latencies[kind].hits.push(...measured.hits.latenciesMs);
          }
          const { answered, refused } = await askers.stop();
          if (round > 0 && loops > 0) say(`round ${round}: ${answered} questions answered, ${refused} refused`);
        }
      }
      return [finding('hits', latencies, HITS_BOUND), finding('reads', latencies, READS_BOUND)];
    } finally {
      await stack.disposeAsync();
    }
  },
};

type Latencies = Record<'quiet' | 'asked', Record<'hits' | 'reads', number[]>>;

function finding(what: 'hits' | 'reads', { quiet, asked }: Latencies, bound: number): Finding {
  const inWords = (times: readonly number[]) =>
    `99 of 100 within ${p99(times).toFixed(1)} ms (median ${median(times).toFixed(1)})`;
  return {
    what: what === 'hits' ? 'hits at the gateway while analysts ask' : "series-api's reads while analysts ask",
    measured: inWords(asked[what]),
    against: `quiet ${inWords(quiet[what])}`,
    ratio: p99(asked[what]) / p99(quiet[what]),
    bound,
  };
}

async function fill(store: SeriesStore): Promise<void> {
  const newest = slotOf(Date.now() / 1000);
  const oldest = newest - DAYS * DAY_SECONDS + MATCH_GAP_SECONDS + SLOT_SECONDS;
  for (const batch of monthOfSlots(oldest, newest)) await waitFor(() => store.commit(batch), FILL_MS);
}

async function startServices(store: SeriesStore, stack: AsyncDisposableStack) {
  const bus = await openBus({ url: 'memory:', origin: 'simulated' });
  stack.defer(() => bus.close());
  const config = readSeriesApiConfig({ PORT: '0', METRICS_PORT: '0', SERIES_URL: 'sqlite::memory:' });
  const api = await createSeriesApi(config, { store, bus, logger: silentLogger() });
  stack.defer(() => api.stop());
  await api.start();
  // Where the kernel sees fit, as in a container.
  const gateway = await startGateway({ ownersUrl: api.url(), cacheBytes: CACHE_BYTES }, stack, 'any');
  await captureAnswer(gateway.port, PATHS[1] ?? '', {});
  return { series: Number(new URL(api.url()).port), gateway: gateway.port };
}
