import { composeService, createHealth, type ComposedService, type Health } from '@lobbystats/service-kit';
import type { CollectorConfig } from './config.ts';
import { createContext, type CollectorOverrides } from './context.ts';
import type { CollectorStatus } from './domain/collector-status.ts';
import { fillPast, fillRange } from './domain/fill.ts';
import { leasesOf } from './domain/lease.ts';
import { pagesInHand } from './domain/page-reading.ts';
import { createSlotCollection } from './domain/slot-collection.ts';
import { runTicks } from './domain/run-ticks.ts';
import { firstLiveSlot } from './domain/slot-times.ts';
import { doubling } from './domain/time.ts';
import { createBusOutlet } from './messaging/bus-outlet.ts';
import { consumePages } from './messaging/consume-pages.ts';

export { readCollectorConfig, type CollectorConfig } from './config.ts';
export { collectorSchema, type CollectorOverrides } from './context.ts';
export type { CollectorStatus, SlotSummary } from './domain/collector-status.ts';
export type { FillProgress } from './domain/telemetry.ts';

/** The collector as a service. */
export interface Collector extends ComposedService {
  readonly status: CollectorStatus;
  /**
   * Does at once what the time of day asks for, which a running collector does by itself every few seconds: for tests with
   * a clock of their own. Resolves when what was begun is done; pages are read beside it, by whoever gets their jobs.
   */
  tick(): Promise<void>;
  /** Resolves when the past is brought in, by this replica or another, or the collector stops. */
  filled(): Promise<void>;
}

const FILL_BACKOFF = doubling(1000, 60_000);

/** Composes a collector. Its store and bus are open when this resolves; it collects from `start` on. */
export async function createCollector(config: CollectorConfig, overrides: CollectorOverrides = {}): Promise<Collector> {
  const context = await createContext(config, overrides);
  const { bus, store, status, time, backoff, holder, logger, metrics, stopping, closers } = context;
  const outlet = createBusOutlet(bus);
  const { keeper, readPage, introduce } = createSlotCollection({ ...context, outlet, stopping: stopping.signal });

  const health = healthOf(config, status);
  health.dependency('store', () => store.check());
  health.dependency('bus', () => bus.check());
  let fill = Promise.resolve();
  /** What runs until it is told to stop. */
  const untilStopped = (work: () => Promise<void>) => () => {
    stopping.abort();
    return work();
  };
  const service = composeService({
    name: 'collector',
    config,
    logger,
    metrics,
    health,
    routes: [],
    closers,
    startParts: async (started) => {
      const range = fillRange(firstLiveSlot(time.now()), config.FILL_DAYS, config.FILL_REGISTERED_DAYS);
      fill = fillPast(range, {
        ...context,
        store: store.fill,
        outlet,
        leases: leasesOf(holder, () => time.now()),
        backoff: FILL_BACKOFF,
        stopping: stopping.signal,
      });
      started(untilStopped(() => fill));
      const prefetch = pagesInHand(config.COLLECTOR_MAX_RPS);
      const consumer = await consumePages(bus, readPage, { prefetch, backoffMs: backoff });
      started(untilStopped(() => consumer.stop()));
      const introduced = introduce();
      started(untilStopped(() => introduced));
      const ticks = runTicks(keeper, time, stopping.signal);
      started(untilStopped(() => ticks));
    },
  });

  return {
    ...service,
    status,
    tick: async () => {
      await keeper.tick();
      await keeper.settled();
    },
    filled: () => fill,
  };
}

function healthOf({ NETWORK_ORIGIN, NETWORK_URL }: CollectorConfig, status: CollectorStatus): Health {
  const { protocol, host, pathname } = new URL(NETWORK_URL);
  const network = {
    origin: NETWORK_ORIGIN,
    simulated: NETWORK_ORIGIN === 'simulated',
    url: `${protocol}//${host}${pathname.replace(/\/$/, '')}`,
  };
  return createHealth({
    service: 'collector',
    details: {
      network,
      get lastSlot() {
        return status.lastSlot;
      },
      get fill() {
        return status.fill;
      },
    },
  });
}
