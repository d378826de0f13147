import { composeService, createHealth, type ComposedService, type Health } from '@lobbystats/service-kit';
import type { CollectorConfig } from './config.ts';
import { createContext, type CollectorOverrides } from './context.ts';
import { maxConcurrentBoards, createBoardCollection } from './leaderboards/board-collection.ts';
import { boardBackfillRange, backfillBoards } from './backfills/backfill-boards.ts';
import type { CollectorStatus } from './telemetry/collector-status.ts';
import { backfillSnapshots, backfillRange } from './backfills/backfill-snapshots.ts';
import { leasesOf } from './leases/lease.ts';
import { backfillPlayers, playerBackfillRange } from './backfills/backfill-players.ts';
import { maxConcurrentPages } from './slots/collect-page.ts';
import { createSlotCollection } from './slots/slot-collection.ts';
import { runTicks } from './slots/slot-keeper.ts';
import { firstLiveSlot } from './slots/slot-times.ts';
import { exponentialBackoff } from '@lobbystats/concurrency';
import { createBusPublisher } from './messages/observation.publisher.ts';
import { consumeJobs } from './messages/jobs.consumer.ts';

export { runReplay } from './run-command.ts';
export { readCollectorConfig, type CollectorConfig } from './config.ts';
export { exportBackfills, collectorMigrations, collectorSchema, type CollectorOverrides } from './context.ts';
export type { CollectorStatus, SlotSummary } from './telemetry/collector-status.ts';
export type { BoardBackfillProgress, BackfillProgress } from './telemetry/telemetry.ts';

export interface Collector extends ComposedService {
  readonly status: CollectorStatus;
  /**
   * Runs one tick at once, for tests with their own clock. Resolves when the work it started is done; pages are read by
   * job consumers.
   */
  tick(): Promise<void>;
  /** Resolves when the backfill is done by any replica, or the collector stops. */
  backfillDone(): Promise<void>;
}

const BACKFILL_BACKOFF = exponentialBackoff(1000, 60_000);

export async function createCollector(config: CollectorConfig, overrides: CollectorOverrides = {}): Promise<Collector> {
  const context = await createContext(config, overrides);
  const {
    bus,
    store,
    boardHistory,
    playerHistory,
    status,
    time,
    backoff,
    holder,
    logger,
    metrics,
    stopping,
    disposers,
  } = context;
  const publisher = createBusPublisher(bus);
  const parts = { ...context, publisher, stopping: stopping.signal };
  const boardsAtOnce = maxConcurrentBoards(config.COLLECTOR_MAX_RPS);
  const { sideTasks, readBoard } = createBoardCollection({ ...parts, maxConcurrentBoards: boardsAtOnce });
  const { keeper, readPage, bootstrap } = createSlotCollection({ ...parts, sideTasks });

  const health = healthOf(config, status);
  health.dependency('store', () => store.check());
  health.dependency('bus', () => bus.check());
  let backfill = Promise.resolve();
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
    disposers,
    startComponents: async (started) => {
      const firstLive = firstLiveSlot(time.now());
      const range = backfillRange(firstLive, config.BACKFILL_DAYS, config.BACKFILL_REGISTERED_DAYS);
      const backfillParts = { ...parts, leases: leasesOf(holder, () => time.now()), backoff: BACKFILL_BACKOFF };
      const slots = backfillSnapshots(range, { ...backfillParts, store: store.backfill });
      const boardRange = boardBackfillRange(Math.floor(time.now() / 1000), config.BACKFILL_LEADERBOARD_DAYS);
      const boards = backfillBoards(boardRange, {
        ...backfillParts,
        store: store.boardBackfill,
        history: boardHistory,
      });
      const playerRange = playerBackfillRange(firstLive, config.BACKFILL_PLAY_TIME_DAYS);
      const playerParts = { ...backfillParts, store: store.playerBackfill, history: playerHistory, after: slots };
      const players = backfillPlayers(playerRange, playerParts);
      backfill = Promise.all([slots, boards, players]).then(() => undefined);
      started(untilStopped(() => backfill));
      const prefetch = maxConcurrentPages(config.COLLECTOR_MAX_RPS) + boardsAtOnce;
      const consumer = await consumeJobs({ bus, readPage, readBoard, prefetch, backoffMs: backoff });
      started(untilStopped(() => consumer.stop()));
      const introduced = bootstrap();
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
      await keeper.onIdle();
    },
    backfillDone: () => backfill,
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
      get boardFill() {
        return status.boardFill;
      },
      get playerFill() {
        return status.playerFill;
      },
    },
  });
}
