import { exponentialBackoff } from '@lobbystats/service-kit/concurrency';
import type { BackfillPart, ServiceName } from '@lobbystats/contracts';
import type { CollectorConfig } from './config.ts';
import type { Collection } from './context.ts';
import { firstLiveSlot } from './time/slot-times.ts';
import { afterFirstSlot } from './backfills/after-first-slot.ts';
import { backfillBoards, boardBackfillRange } from './backfills/backfill-boards.ts';
import { backfillPlayers, playerBackfillRange } from './backfills/backfill-players.ts';
import { backfillRange, backfillSnapshots } from './backfills/backfill-snapshots.ts';

/** All that backfilled messages, and the facts that follow from them, go to. */
const CONSUMERS = ['series-api', 'catalog-api', 'user-api', 'reputation-api'] as const satisfies ServiceName[];
const BACKOFF = exponentialBackoff(1000, 60_000);

/** Resolves when all backfills are done, with their progress, or when the collector leads no longer. */
export async function runBackfills({ backfillDays }: CollectorConfig, collection: Collection): Promise<BackfillPart[]> {
  const { store, boardHistory, playerHistory, telemetry, time } = collection;
  const parts = { ...collection, backoff: BACKOFF };
  const firstLive = firstLiveSlot(time.now());
  const firstSlot = afterFirstSlot(store.slots, collection).catch((error: unknown) => {
    telemetry.fault('the first slot can not be awaited', error);
  });
  const range = backfillRange(firstLive, backfillDays.snapshots, backfillDays.registered);
  const slots = firstSlot.then(() => backfillSnapshots(range, { ...parts, store: store.backfill }));
  const boardRange = boardBackfillRange(Math.floor(time.now() / 1000), backfillDays.leaderboards);
  const boardParts = { ...parts, store: store.boardBackfill, history: boardHistory };
  const boards = firstSlot.then(() => backfillBoards(boardRange, boardParts));
  const playerRange = playerBackfillRange(firstLive, backfillDays.playTime);
  const playerParts = { ...parts, store: store.playerBackfill, history: playerHistory, after: slots };
  const [ofSlots, ofBoards] = await Promise.all([slots, boards, backfillPlayers(playerRange, playerParts)]);
  return [ofSlots, ofBoards].filter((progress) => progress !== undefined);
}

/** Empty queues may hide messages that a service is working on. */
const EMPTY_POLLS = 3;
const POLL_MS = 1000;

/** Publishes finished backfills once the services have consumed what was published: then all of it can be read. */
export async function publishFinished(finished: readonly BackfillPart[], collection: Collection): Promise<void> {
  const { bus, publisher, telemetry, time, stopping } = collection;
  for (let empty = 0; finished.length > 0 && empty < EMPTY_POLLS && !stopping.aborted;) {
    try {
      const depths = await Promise.all(CONSUMERS.map((service) => bus.depth(service)));
      empty = depths.every((depth) => depth === 0) ? empty + 1 : 0;
      if (empty === EMPTY_POLLS)
        for (const progress of finished) await publisher.publishProgress(progress, Math.floor(time.now() / 1000));
    } catch (error) {
      empty = 0;
      telemetry.fault('the end of the backfill can not be published, retrying', error);
    }
    if (empty < EMPTY_POLLS) await time.sleep(POLL_MS, stopping);
  }
}
