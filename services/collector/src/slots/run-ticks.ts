import type { SlotKeeper } from './slot-keeper.ts';
import type { Time } from '../time/time.ts';

/**
 * Ticks until `stopping` aborts. Waits are computed from the wall clock each time, so a clock change is noticed within
 * seconds.
 */
export async function runTicks(keeper: SlotKeeper, time: Time, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await keeper.tick();
    await time.sleep(keeper.untilNextTickMs(), stopping);
  }
  await keeper.onIdle();
}
