import { collectorService } from '@lobbystats/collector';
import { registeredObserved, slotObserved, titleStored } from '@lobbystats/contracts';
import { handle, type MessageBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import { createSimulator } from '@lobbystats/simulator';

const TITLES = 200;
const LATENCY_MS = 50;
/** Enough to make each title active. */
const OPEN_MATCHES = 4000;

export interface CollectSlotOptions {
  /** The beginning of the slot in epoch milliseconds: all clocks start here. */
  slotMs: number;
  collectors: number;
  /** Requests per second of all collectors that share a MongoDB database, or of each with SQLite. */
  perSecond: number;
  databaseUrl: string;
  /** Opens a bus on the shared queues. The caller of `collectSlot` closes it. */
  busOf: (clock: () => number) => Promise<MessageBus>;
}

export interface SlotStats {
  seconds: number;
  requests: number;
  /** Titles with open matches. */
  titles: number;
}

/** Runs fresh collectors for one slot of 200 active titles, on a network with latency. */
export async function collectSlot(options: CollectSlotOptions): Promise<SlotStats> {
  const { slotMs, collectors, perSecond, databaseUrl, busOf } = options;
  const offset = slotMs - Date.now();
  const clock = () => Date.now() + offset;
  const stack = new AsyncDisposableStack();
  try {
    const network = { clock, titles: TITLES, openMatches: OPEN_MATCHES, skew: 0, latencyMs: LATENCY_MS };
    const simulator = createSimulator(network);
    stack.defer(() => simulator.stop());
    const { url } = await simulator.start();
    const config = collectorService.readConfig({
      NETWORK_URL: url,
      NETWORK_ORIGIN: 'simulated',
      NETWORK_CLOCK_TOLERANCE_SECONDS: '0',
      DATABASE_URL: databaseUrl,
      COLLECTOR_MAX_RPS: String(perSecond),
      BACKFILL_DAYS: '0',
      BACKFILL_REGISTERED_DAYS: '0',
      BACKFILL_LEADERBOARD_DAYS: '0',
      BACKFILL_PLAY_TIME_DAYS: '0',
      PORT: '0',
      METRICS_PORT: '0',
    });
    const all = [];
    for (let index = 0; index < collectors; index += 1) {
      const collector = await collectorService.create(config, {
        bus: await busOf(clock),
        logger: silentLogger(),
        clock,
      });
      stack.defer(() => collector.stop());
      all.push(collector);
    }
    const finished = waitForSlot(await busOf(clock));
    const began = performance.now();
    await Promise.all(all.map((collector) => collector.start()));
    const { titles, missing } = await finished;
    const seconds = (performance.now() - began) / 1000;
    if (missing > 0) throw new Error(`${missing} titles are missing in the slot`);
    const { total } = (await (await fetch(`${url}/simulator/requests`)).json()) as { total: number };
    return { seconds, requests: total, titles };
  } finally {
    await stack.disposeAsync();
  }
}

function waitForSlot(bus: MessageBus): Promise<{ titles: number; missing: number }> {
  return new Promise((resolve, reject) => {
    const slots = handle(slotObserved, ({ data }) => {
      const missing = data.titles.filter(({ matches }) => matches === null).length;
      resolve({ titles: data.titles.filter(({ sessions }) => sessions > 0).length, missing });
      return Promise.resolve();
    });
    const nothing = () => Promise.resolve();
    const handlers = [slots, handle(registeredObserved, nothing), handle(titleStored, nothing)];
    bus.consume({ queue: 'series-api', handlers }).catch(reject);
  });
}
