import { composeService, createHealth, type ComposedService, type Health } from '@lobbystats/service-kit';
import type { CollectorConfig } from './config.ts';
import { createContext, type CollectorOverrides } from './context.ts';
import { boardsInHand, createBoardCollection } from './domain/board-collection.ts';
import { boardFillRange, fillBoards } from './domain/board-fill.ts';
import type { CollectorStatus } from './domain/collector-status.ts';
import { fillPast, fillRange } from './domain/fill.ts';
import { leasesOf } from './domain/lease.ts';
import { fillPlayers, playerFillRange } from './domain/player-fill.ts';
import { pagesInHand } from './domain/page-reading.ts';
import { createSlotCollection } from './domain/slot-collection.ts';
import { runTicks } from './domain/run-ticks.ts';
import { firstLiveSlot } from './domain/slot-times.ts';
import { doubling } from './domain/time.ts';
import { createBusOutlet } from './messaging/bus-outlet.ts';
import { consumeJobs } from './messaging/consume-jobs.ts';

export { readCollectorConfig, type CollectorConfig } from './config.ts';
export { carriedFills, collectorMigrations, collectorSchema, type CollectorOverrides } from './context.ts';
export type { CollectorStatus, SlotSummary } from './domain/collector-status.ts';
export type { BoardFillProgress, FillProgress } from './domain/telemetry.ts';

export interface Collector extends ComposedService {
  readonly status: CollectorStatus;
  /**
   * Runs one tick at once, for tests with their own clock. Resolves when what it began is done; pages are read by job
   * consumers.
   */
  tick(): Promise<void>;
  /** Resolves when the backfill is done by any replica, or the collector stops. */
  filled(): Promise<void>;
}

const FILL_BACKOFF = doubling(1000, 60_000);

export async function createCollector(config: CollectorConfig, overrides: CollectorOverrides = {}): Promise<Collector> {
  const context = await createContext(config, overrides);
  const { bus, store, boardHistory, playerHistory, status, time, backoff, holder, logger, metrics, stopping, closers } =
    context;
  const outlet = createBusOutlet(bus);
  const parts = { ...context, outlet, stopping: stopping.signal };
  const boardsAtOnce = boardsInHand(config.COLLECTOR_MAX_RPS);
  const { errands, readBoard } = createBoardCollection({ ...parts, boardsInHand: boardsAtOnce });
  const { keeper, readPage, introduce } = createSlotCollection({ ...parts, errands });

  const health = healthOf(config, status);
  health.dependency('store', () => store.check());
  health.dependency('bus', () => bus.check());
  let fill = Promise.resolve();
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
      const firstLive = firstLiveSlot(time.now());
      const range = fillRange(firstLive, config.FILL_DAYS, config.FILL_REGISTERED_DAYS);
      const fillParts = { ...parts, leases: leasesOf(holder, () => time.now()), backoff: FILL_BACKOFF };
      const slots = fillPast(range, { ...fillParts, store: store.fill });
      const boardRange = boardFillRange(Math.floor(time.now() / 1000), config.FILL_BOARD_DAYS);
      const boards = fillBoards(boardRange, { ...fillParts, store: store.boardFill, history: boardHistory });
      const playerRange = playerFillRange(firstLive, config.FILL_PLAYER_DAYS);
      const playerParts = { ...fillParts, store: store.playerFill, history: playerHistory, after: slots };
      const players = fillPlayers(playerRange, playerParts);
      fill = Promise.all([slots, boards, players]).then(() => undefined);
      started(untilStopped(() => fill));
      const prefetch = pagesInHand(config.COLLECTOR_MAX_RPS) + boardsAtOnce;
      const consumer = await consumeJobs({ bus, readPage, readBoard, prefetch, backoffMs: backoff });
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
      get boardFill() {
        return status.boardFill;
      },
      get playerFill() {
        return status.playerFill;
      },
    },
  });
}
