import type { SlotKeeper } from './slot-keeper.ts';
import type { Time } from './time.ts';

/**
 * Ticks until `stopping` is aborted; resolves when what was begun is done. Each wait is measured anew by the wall clock,
 * so that a clock that was set is noticed within seconds.
 */
export async function runTicks(keeper: SlotKeeper, time: Time, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await keeper.tick();
    await time.sleep(keeper.untilNextTickMs(), stopping);
  }
  await keeper.settled();
}
