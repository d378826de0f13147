import { exponentialBackoff } from '@lobbystats/service-kit/concurrency';
import { defineService, openServiceBus, type ComposedService, type OverridesOf } from '@lobbystats/service-kit';
import { readCollectorConfig, type CollectorConfig } from './config.ts';
import { openCollection, openStore, type CollectorParts } from './context.ts';
import { maxConcurrentBoards, createBoardCollection } from './leaderboards/board-collection.ts';
import { afterFirstSlot } from './backfills/after-first-slot.ts';
import { boardBackfillRange, backfillBoards } from './backfills/backfill-boards.ts';
import type { CollectorStatus } from './telemetry/collector-status.ts';
import { backfillSnapshots, backfillRange } from './backfills/backfill-snapshots.ts';
import { leasesOf } from './leases/lease.ts';
import { backfillPlayers, playerBackfillRange } from './backfills/backfill-players.ts';
import { maxConcurrentPages } from './slots/collect-page.ts';
import { createSlotCollection } from './slots/slot-collection.ts';
import { runTicks } from './slots/slot-keeper.ts';
import { firstLiveSlot } from './slots/slot-times.ts';
import { consumeJobs } from './messages/jobs.consumer.ts';

export { collectorSettings as settings } from './config.ts';

export type { BackfillProgress } from './telemetry/telemetry.ts';

interface CollectorMembers {
  readonly status: CollectorStatus;
  /**
   * Runs one tick at once, for tests with their own clock. Resolves when the work it started is done; pages are read by
   * job consumers.
   */
  tick(): Promise<void>;
  /** Resolves when the backfill is done by any replica, or the collector stops. */
  backfillDone(): Promise<void>;
}

export type Collector = ComposedService & CollectorMembers;
export type CollectorOverrides = OverridesOf<typeof collectorService>;

const BACKFILL_BACKOFF = exponentialBackoff(1000, 60_000);

export const collectorService = defineService<CollectorConfig, CollectorParts, CollectorMembers>({
  name: 'collector',
  readConfig: readCollectorConfig,
  parts: {
    store: ({ config }) => openStore(config),
    bus: openServiceBus('collector'),
    parser: () => undefined,
    saveTo: () => undefined,
    backoffMs: () => exponentialBackoff(500, 8000),
    onFillProgress: () => undefined,
  },
  compose: async (context) => {
    const { config } = context;
    const collection = await openCollection(context);
    const { bus, store, boardHistory, playerHistory, status, time, backoff, holder, stopping } = collection;
    const boardsAtOnce = maxConcurrentBoards(config.COLLECTOR_MAX_RPS);
    const { sideTasks, readBoard } = createBoardCollection({ ...collection, maxConcurrentBoards: boardsAtOnce });
    const { keeper, readPage, bootstrap } = createSlotCollection({ ...collection, sideTasks });

    let backfill = Promise.resolve();
    const startBackfill = () => {
      const firstLive = firstLiveSlot(time.now());
      const range = backfillRange(firstLive, config.BACKFILL_DAYS, config.BACKFILL_REGISTERED_DAYS);
      const parts = { ...collection, leases: leasesOf(holder, () => time.now()), backoff: BACKFILL_BACKOFF };
      const firstSlot = afterFirstSlot(store.slots, collection).catch((error: unknown) => {
        collection.telemetry.fault('the first slot can not be awaited', error);
      });
      const slots = firstSlot.then(() => backfillSnapshots(range, { ...parts, store: store.backfill }));
      const boardRange = boardBackfillRange(Math.floor(time.now() / 1000), config.BACKFILL_LEADERBOARD_DAYS);
      const boardParts = { ...parts, store: store.boardBackfill, history: boardHistory };
      const boards = firstSlot.then(() => backfillBoards(boardRange, boardParts));
      const playerRange = playerBackfillRange(firstLive, config.BACKFILL_PLAY_TIME_DAYS);
      const playerParts = { ...parts, store: store.playerBackfill, history: playerHistory, after: slots };
      const players = backfillPlayers(playerRange, playerParts);
      backfill = Promise.all([slots, boards, players]).then(() => undefined);
      return { stop: () => backfill };
    };
    const untilDone = (work: Promise<void>) => ({ stop: () => work });
    const prefetch = maxConcurrentPages(config.COLLECTOR_MAX_RPS) + boardsAtOnce;

    return {
      components: [
        startBackfill,
        () => consumeJobs({ bus, readPage, readBoard, prefetch, backoffMs: backoff }),
        () => untilDone(bootstrap()),
        () => untilDone(runTicks(keeper, time, stopping)),
      ],
      details: () => ({
        network: networkOf(config),
        lastSlot: status.lastSlot,
        fill: status.fill,
        boardFill: status.boardFill,
        playerFill: status.playerFill,
      }),
      members: {
        status,
        tick: async () => {
          await keeper.tick();
          await keeper.onIdle();
        },
        backfillDone: () => backfill,
      },
    };
  },
});

/** The URL without its credentials. */
function networkOf({ NETWORK_ORIGIN: origin, NETWORK_URL }: CollectorConfig) {
  const { protocol, host, pathname } = new URL(NETWORK_URL);
  return { origin, simulated: origin === 'simulated', url: `${protocol}//${host}${pathname.replace(/\/$/, '')}` };
}
