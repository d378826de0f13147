import type { Lease, Leases } from './lease.ts';
import { PageFailure } from './page-failures.ts';
import { endMsOf, slotAt } from './slot-times.ts';
import type { Telemetry } from './telemetry.ts';
import type { Backoff, Time } from './time.ts';

const WATCH_MS = 10_000;
/** Slow machines may take longer for a step than a lease lasts. */
const RENEW_MS = 5000;

/** What every fill needs, whatever it brings in. */
export interface FillingParts {
  store: { take(lease: Lease): Promise<boolean>; release(holder: string): Promise<void> };
  telemetry: Telemetry;
  time: Time;
  leases: Leases;
  backoff: Backoff;
  stopping: AbortSignal;
}

/**
 * Runs steps until one resolves to true, with unlimited retries. Releases the lease when done or stopped. `fault` names
 * a failed step in the log.
 *
 * @param fault what is said of a step that failed
 */
export async function fillStepByStep(
  { store, telemetry, time, leases, backoff, stopping }: FillingParts,
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
  await store
    .release(leases().holder)
    .catch((error: unknown) => telemetry.fault('a lease stays until it is over', error));
}

/** True with the lease; false after a wait while another replica has it. */
export async function takeOrWatch({ store, time, leases, stopping }: FillingParts): Promise<boolean> {
  const taken = await store.take(leases());
  if (!taken) await time.sleep(WATCH_MS, stopping);
  return taken;
}

export function leaseKeeper({ store, time, leases, stopping }: FillingParts): () => Promise<void> {
  let renewedMs = time.now();
  return async () => {
    stopping.throwIfAborted();
    if (time.now() - renewedMs <= RENEW_MS) return;
    renewedMs = time.now();
    await store.take(leases());
  };
}
