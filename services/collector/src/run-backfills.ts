import { exponentialBackoff } from '@lobbystats/service-kit/concurrency';
import type { CollectorConfig } from './config.ts';
import type { Collection } from './context.ts';
import { firstLiveSlot } from './slots/slot-times.ts';
import { afterFirstSlot } from './backfills/after-first-slot.ts';
import { backfillBoards, boardBackfillRange } from './backfills/backfill-boards.ts';
import { backfillPlayers, playerBackfillRange } from './backfills/backfill-players.ts';
import { backfillRange, backfillSnapshots } from './backfills/backfill-snapshots.ts';

const BACKOFF = exponentialBackoff(1000, 60_000);

/** Resolves when all backfills are done, or when the collector leads no longer. */
export async function runBackfills(config: CollectorConfig, collection: Collection): Promise<void> {
  const { store, boardHistory, playerHistory, telemetry, time } = collection;
  const parts = { ...collection, backoff: BACKOFF };
  const firstLive = firstLiveSlot(time.now());
  const firstSlot = afterFirstSlot(store.slots, collection).catch((error: unknown) => {
    telemetry.fault('the first slot can not be awaited', error);
  });
  const range = backfillRange(firstLive, config.BACKFILL_DAYS, config.BACKFILL_REGISTERED_DAYS);
  const slots = firstSlot.then(() => backfillSnapshots(range, { ...parts, store: store.backfill }));
  const boardRange = boardBackfillRange(Math.floor(time.now() / 1000), config.BACKFILL_LEADERBOARD_DAYS);
  const boardParts = { ...parts, store: store.boardBackfill, history: boardHistory };
  const boards = firstSlot.then(() => backfillBoards(boardRange, boardParts));
  const playerRange = playerBackfillRange(firstLive, config.BACKFILL_PLAY_TIME_DAYS);
  const playerParts = { ...parts, store: store.playerBackfill, history: playerHistory, after: slots };
  await Promise.all([slots, boards, backfillPlayers(playerRange, playerParts)]);
}
