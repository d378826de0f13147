import type { EpochSeconds } from '@lobbystats/contracts';
import { endMsOf } from '../time/slot-times.ts';
import type { RetryParts } from '../time/time.ts';
import { PageFailure } from './page-failures.ts';

/** Requests for a feed in one slot. */
const MAX_READ_ATTEMPTS = 5;

export async function retryWithinSlot(
  slot: EpochSeconds,
  { time, backoff, stopping }: RetryParts,
  ask: (deadlineMs: number) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; time.now() < endMsOf(slot) && !stopping.aborted; attempt += 1) {
    try {
      await ask(endMsOf(slot));
      return;
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      if (error.kind === 'rejected' || error.kind === 'absent' || error.isFinal || attempt === MAX_READ_ATTEMPTS)
        return;
    }
    await time.sleep(backoff(attempt), stopping);
  }
}
