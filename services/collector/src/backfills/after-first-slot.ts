import type { SlotStore } from '../slots/slot-store.ts';
import { deadlineMsOf, slotAt } from '../time/slot-times.ts';
import type { Time } from '../time/time.ts';

const POLL_INTERVAL_MS = 100;

/**
 * At a first start, resolves when a live slot is published, so that the backfill does not delay the first numbers.
 * Resolves at once when no slot can be collected now, and when there was one before.
 */
export async function afterFirstSlot(
  slots: Pick<SlotStore, 'latestFinished'>,
  { time, stopping }: { time: Time; stopping: AbortSignal },
): Promise<void> {
  const deadlineMs = deadlineMsOf(slotAt(time.now()));
  while (!stopping.aborted && time.now() < deadlineMs && (await slots.latestFinished()) === undefined) {
    await time.sleep(POLL_INTERVAL_MS, stopping);
  }
}
