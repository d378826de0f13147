import { collectorSchema } from '@lobbystats/collector/admin';
import { registeredObserved, SLOT_SECONDS, slotObserved, titleStored } from '@lobbystats/contracts';
import { handle, openBus, type MessageBus } from '@lobbystats/message-bus';
import { createSimulator } from '@lobbystats/simulator';
import { createTestDatabase } from '@lobbystats/test-kit/test-database';
import { createVhost } from '@lobbystats/test-kit/test-vhost';
import { median, type Benchmark } from './benchmark.ts';
import { areServersConfigured } from './are-servers-configured.ts';
import { startCollectorProcess } from './peers/collectors.ts';

const COLLECTORS = [1, 2, 4, 8];
const LATENCIES_MS = [50, 500];
/** The shared limit rises with the collectors, so that it doesn't hide what their processors and the servers can do. */
const REQUESTS_PER_SECOND_EACH = 20;
const TITLES = 200;
/** Enough to make each title active: each page is read in each slot. */
const OPEN_MATCHES = 4000;
/** Measured slots of a run, after one warm-up slot. */
const SLOTS = 3;
/** Allowance for the homepage, which precedes all pages, and for the response of the last page. */
const GRACE_SECONDS = 1.5;

interface Run {
  latencyMs: number;
  collectors: number;
  /** From the beginning of the slot to its message. */
  seconds: number;
  requests: number;
  /** Processor time of all collectors together. */
  cpuSeconds: number;
}

/** Slots per minute by the number of collector processes that share RabbitMQ and MongoDB. */
export const scaling: Benchmark = {
  name: 'scaling',
  description: `slots of ${TITLES} active titles a minute, by 1 to 8 collector processes on RabbitMQ and MongoDB`,
  promise: 'each further collector adds slots per minute where the network allows it',
  isLong: true,
  run: async (say) => {
    if (!areServersConfigured(['rabbitmq', 'mongodb'], say)) return [];
    const runs: Run[] = [];
    say(`the limit of all collectors together is ${REQUESTS_PER_SECOND_EACH} requests per second times their number`);
    say('latency  collectors  s a slot  requests  slots/min  of the allowed rate  processor s a slot');
    for (const latencyMs of LATENCIES_MS) {
      for (const collectors of COLLECTORS) {
        const run = await measure(latencyMs, collectors);
        runs.push(run);
        say(lineOf(run));
      }
    }
    return runs.map((run) => {
      const allowed = allowedSeconds(run) + GRACE_SECONDS + (2 * run.latencyMs) / 1000;
      return {
        what: `a slot by ${run.collectors} at ${run.latencyMs} ms`,
        measured: `${run.seconds.toFixed(2)} s`,
        reference: `${allowed.toFixed(2)} s (requests / allowed rate + ${GRACE_SECONDS} s + twice the latency)`,
        ratio: run.seconds / allowed,
        bound: 1,
      };
    });
  },
};

function lineOf(run: Run): string {
  const { latencyMs, collectors, seconds, requests } = run;
  const cells = [
    `${latencyMs} ms`.padStart(7),
    String(collectors).padStart(10),
    seconds.toFixed(2).padStart(8),
    requests.toFixed(0).padStart(8),
    (60 / seconds).toFixed(1).padStart(9),
    `${((100 * allowedSeconds(run)) / seconds).toFixed(0)} %`.padStart(6),
    run.cpuSeconds.toFixed(2).padStart(16),
  ];
  return cells.join('  ');
}

/** Minimum time of the requests at the allowed rate. */
function allowedSeconds({ requests, collectors }: Run): number {
  return requests / (collectors * REQUESTS_PER_SECOND_EACH);
}

/** Uses a new vhost and an empty database. */
async function measure(latencyMs: number, collectors: number): Promise<Run> {
  await using stack = new AsyncDisposableStack();
  const vhost = await createVhost('collector');
  stack.defer(() => vhost.remove());
  const slots = await createTestDatabase({
    database: 'bench-scaling',
    user: 'collector',
    schema: collectorSchema,
  });
  await slots.clear();
  stack.defer(() => slots.clear());
  const bus = await openBus({ url: vhost.url, origin: 'simulated' });
  stack.defer(() => bus.close());

  let slotMs = Math.ceil(Date.now() / (SLOT_SECONDS * 1000)) * SLOT_SECONDS * 1000;
  let begunAt = performance.now();
  const simulator = createSimulator({
    ...{ titles: TITLES, openMatches: OPEN_MATCHES, boards: 0, skew: 0, latencyMs },
    clock: () => slotMs + performance.now() - begunAt,
  });
  stack.defer(() => simulator.stop());
  const { url } = await simulator.start();
  const finished = await followSlots(bus);
  const env = environment(url, vhost.url, slots.url, collectors * REQUESTS_PER_SECOND_EACH);
  const all = Array.from({ length: collectors }, () => startCollectorProcess(stack));

  const requestsSoFar = async () => {
    const answer = await fetch(`${url}/simulator/requests`);
    return ((await answer.json()) as { total: number }).total;
  };
  const costSoFar = async () => {
    const costs = await Promise.all(all.map((one) => one.send('cost')));
    return costs.reduce<number>((sum, cost) => sum + Number(cost), 0);
  };
  const collected: Pick<Run, 'seconds' | 'requests' | 'cpuSeconds'>[] = [];
  for (let index = 0; index <= SLOTS; index += 1) {
    if (index > 0) slotMs += SLOT_SECONDS * 1000;
    const before = await requestsSoFar();
    const paid = await costSoFar();
    const done = finished.next();
    begunAt = performance.now();
    await Promise.all(all.map((one) => one.send(index === 0 ? { slotMs, env } : { slotMs })));
    await done;
    const seconds = (performance.now() - begunAt) / 1000;
    if (index === 0) continue;
    collected.push({
      seconds,
      requests: (await requestsSoFar()) - before,
      cpuSeconds: (await costSoFar()) - paid,
    });
  }
  return {
    latencyMs,
    collectors,
    seconds: median(collected.map(({ seconds }) => seconds)),
    requests: median(collected.map(({ requests }) => requests)),
    cpuSeconds: median(collected.map(({ cpuSeconds }) => cpuSeconds)),
  };
}

/** `next` waits for the next slot and rejects if a title is missing. */
async function followSlots(bus: MessageBus): Promise<{ next(): Promise<void> }> {
  let awaited: PromiseWithResolvers<undefined> | undefined;
  const slots = handle(slotObserved, ({ data }) => {
    const missing = data.titles.filter(({ matches }) => matches === null).length;
    if (missing === 0) awaited?.resolve(undefined);
    else awaited?.reject(new Error(`${missing} titles are missing in the slot`));
    return Promise.resolve();
  });
  const nothing = () => Promise.resolve();
  const handlers = [slots, handle(registeredObserved, nothing), handle(titleStored, nothing)];
  await bus.consume({ queue: 'series-api', handlers });
  return {
    next: async () => {
      awaited = Promise.withResolvers();
      await awaited.promise;
    },
  };
}

function environment(
  networkUrl: string,
  busUrl: string,
  databaseUrl: string,
  perSecond: number,
): Record<string, string> {
  return {
    NETWORK_URL: networkUrl,
    NETWORK_ORIGIN: 'simulated',
    NETWORK_CLOCK_TOLERANCE_SECONDS: '0',
    BUS_URL: busUrl,
    DATABASE_URL: databaseUrl,
    COLLECTOR_MAX_RPS: String(perSecond),
    BACKFILL_DAYS: '0',
    BACKFILL_REGISTERED_DAYS: '0',
    BACKFILL_LEADERBOARD_DAYS: '0',
    BACKFILL_PLAY_TIME_DAYS: '0',
    PORT: '0',
    METRICS_PORT: '0',
  };
}
