import type { EpochSeconds } from '@lobbystats/contracts';
import { PageFailure } from '../network/page-failures.ts';
import { endMsOf } from './slot-times.ts';
import type { Time } from '../time/time.ts';
import type { Backoff } from '@lobbystats/concurrency';

/** Requests for a feed in one slot. */
const MAX_ATTEMPTS = 5;

export interface RetryParts {
  time: Time;
  backoff: Backoff;
  stopping: AbortSignal;
}

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
      if (error.kind === 'refused' || error.isFinal || attempt === MAX_ATTEMPTS) return;
    }
    await time.sleep(backoff(attempt), stopping);
  }
}
