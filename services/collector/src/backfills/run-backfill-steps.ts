import type { Lease, Leases } from '../leases/lease.ts';
import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import { PageFailure } from '../network/page-failures.ts';
import { endMsOf, slotAt } from '../slots/slot-times.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { RetryParts } from '../time/time.ts';

const LEASE_RETRY_MS = 10_000;
/** A step on a slow machine may outlast a lease. */
const RENEW_INTERVAL_MS = 5000;

/** Dependencies of a backfill. `history` is undefined for a network without a history feed. */
export interface BackfillParts<Store, History> extends BackfillStepsParts {
  store: BackfillStepsParts['store'] & Store;
  history: History | undefined;
  publisher: ObservationPublisher;
}

interface BackfillStepsParts extends RetryParts {
  store: { take(lease: Lease): Promise<boolean>; release(holder: string): Promise<void> };
  telemetry: Telemetry;
  leases: Leases;
}

/** Runs steps until one resolves to true, with unlimited retries. Releases the lease when done or stopped. */
export async function runBackfillSteps(
  { store, telemetry, time, leases, backoff, stopping }: BackfillStepsParts,
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
    .catch((error: unknown) => telemetry.fault('releasing a backfill lease failed, it expires by itself', error));
}

/** True with the lease; false after a wait while another replica has it. */
export async function takeLeaseOrWait({ store, time, leases, stopping }: BackfillStepsParts): Promise<boolean> {
  const taken = await store.take(leases());
  if (!taken) await time.sleep(LEASE_RETRY_MS, stopping);
  return taken;
}

export function createLeaseRenewer({ store, time, leases, stopping }: BackfillStepsParts): () => Promise<void> {
  let renewedMs = time.now();
  return async () => {
    stopping.throwIfAborted();
    if (time.now() - renewedMs <= RENEW_INTERVAL_MS) return;
    renewedMs = time.now();
    await store.take(leases());
  };
}
