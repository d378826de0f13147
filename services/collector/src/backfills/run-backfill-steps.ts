import type { ObservationPublisher } from '../network/observation-publisher.ts';
import { PageFailure } from '../network/page-failures.ts';
import { endMsOf, slotAt } from '../time/slot-times.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { RetryParts } from '../time/time.ts';

/** Dependencies of a backfill. `history` is undefined for a network without a history feed. */
export interface BackfillParts<Store, History> extends RetryParts {
  store: Store;
  history: History | undefined;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
}

/** Runs steps until one resolves to true, with unlimited retries, or until it is stopped. */
export async function runBackfillSteps(
  { telemetry, time, backoff, stopping }: RetryParts & { telemetry: Telemetry },
  fault: string,
  step: () => Promise<boolean>,
): Promise<void> {
  const isStopping = () => stopping.aborted;
  let failures = 0;
  for (let done = false; !done && !isStopping();) {
    try {
      done = await step();
      failures = 0;
    } catch (error) {
      if (isStopping()) break;
      failures += 1;
      telemetry.fault(fault, error);
      // Too large or slow: not fetched again before the next slot.
      const isFinal = error instanceof PageFailure && error.isFinal;
      const untilNextSlotMs = endMsOf(slotAt(time.now())) - time.now();
      await time.sleep(isFinal ? untilNextSlotMs : backoff(failures), stopping);
    }
  }
}
