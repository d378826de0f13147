import { parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import type { Collector } from '../src/service.ts';
import type { Stage } from './running-collector.ts';

/** Runs collectors through the slots from `from` to before `to` (epoch seconds), and waits for all pages of each. */
export async function runSlots(
  stage: Stage,
  { from, to }: { from: number; to: number },
  ...collectors: Collector[]
): Promise<void> {
  for (let slot = from; slot < to; slot += SLOT_SECONDS) {
    stage.clock.nowMs = (slot + 1) * 1000;
    for (const collector of collectors) await collector.tick();
    await stage.pagesRead();
    await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === slot));
    // Leaderboards are due when their backfill, which waits for the first slot, is done.
    for (const collector of collectors) await collector.backfillDone();
    await stage.pagesRead();
  }
}
