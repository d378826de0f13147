import { exponentialBackoff } from '@lobbystats/service-kit/concurrency';
import type { Leadership } from '@lobbystats/service-kit/bus';
import { defineService, openServiceBus, type ComposedService, type OverridesOf } from '@lobbystats/service-kit';
import { readCollectorConfig, type CollectorConfig } from './config.ts';
import { openCollection, openStore, openWorker, type CollectorParts } from './context.ts';
import { maxConcurrentBoards, createBoardCollection } from './side-tasks.ts';
import { publishFinished, runBackfills } from './run-backfills.ts';
import type { CollectorStatus } from './telemetry/collector-status.ts';
import { maxConcurrentPages } from './slots/collect-page.ts';
import { createSlotCollection } from './slots/slot-collection.ts';
import { runTicks, type SlotKeeper } from './slots/slot-keeper.ts';
import { consumeJobs } from './messages/jobs.bus.ts';

export { collectorSettings as settings } from './config.ts';

export type { BackfillProgress } from './telemetry/telemetry.ts';

interface CollectorMembers {
  readonly status: CollectorStatus;
  /**
   * Runs one tick of the leader at once, for tests with their own clock. Resolves when the work it started is done; pages
   * are read by the job consumer.
   */
  tick(): Promise<void>;
  /** Resolves when this replica knows that the backfill is done, or stops. */
  backfillDone(): Promise<void>;
}

export type Collector = ComposedService & CollectorMembers;
export type CollectorOverrides = OverridesOf<typeof collectorService>;

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
    const { config, bus } = context;
    const worker = await openWorker(context);
    const { status, telemetry } = worker;
    const backfilled = Promise.withResolvers<undefined>();
    let keeper: SlotKeeper | undefined;

    /** Collects until another replica may lead. */
    const lead = async (leadership: Leadership) => {
      telemetry.leads(true);
      const collection = openCollection(context, worker, leadership);
      const { time, backoff, stopping: ended } = collection;
      const boardsAtOnce = maxConcurrentBoards(config.COLLECTOR_MAX_RPS);
      const { sideTasks, readBoard } = createBoardCollection({ ...collection, maxConcurrentBoards: boardsAtOnce });
      const slots = createSlotCollection({ ...collection, sideTasks });
      keeper = slots.keeper;
      const prefetch = maxConcurrentPages(config.COLLECTOR_MAX_RPS) + boardsAtOnce;
      const jobs = consumeJobs({ bus, readPage: slots.readPage, readBoard, prefetch, backoffMs: backoff });
      await Promise.all([
        runBackfills(config, collection).then((finished) => {
          if (!ended.aborted) backfilled.resolve(undefined);
          return publishFinished(finished, collection);
        }),
        slots.bootstrap(),
        runTicks(slots.keeper, time, ended),
        jobs,
      ]);
      await jobs.then((consumer) => consumer.stop());
      keeper = undefined;
      telemetry.sourcesRefused([]);
      telemetry.leads(false);
    };

    return {
      components: [
        () => ({ stop: async () => backfilled.resolve(undefined) }),
        () => bus.join({ work: worker.work, lead }),
      ],
      details: () => ({
        network: networkOf(config),
        leads: status.leads,
        lastSlot: status.lastSlot,
        fill: status.fill,
        boardFill: status.boardFill,
        playerFill: status.playerFill,
        refusedSources: status.refusedSources,
      }),
      members: {
        status,
        tick: async () => {
          await keeper?.tick();
          await keeper?.onIdle();
        },
        backfillDone: () => backfilled.promise,
      },
    };
  },
});

/** The URL without its credentials. */
function networkOf({ NETWORK_ORIGIN: origin, NETWORK_URL }: CollectorConfig) {
  const { protocol, host, pathname } = new URL(NETWORK_URL);
  return { origin, simulated: origin === 'simulated', url: `${protocol}//${host}${pathname.replace(/\/$/, '')}` };
}
