import type { ClusterLoad } from './cluster-load.ts';
import { whileFaulty, type Fault, type FaultyStack } from '../faults/inject.ts';
import { waitUntil } from '../faults/wait.ts';

/** The longest interruption of each kind of traffic, in milliseconds, and failed cached reads. */
export interface FaultMeasurement {
  readonly fault: string;
  readonly writesMs: number;
  readonly uncachedReadsMs: number;
  readonly cachedReadsMs: number;
  readonly factsMs: number;
  readonly failedCachedReads: readonly string[];
  readonly failedUncachedReads: readonly string[];
  /** True if writes succeeded again during the fault. */
  readonly resumedWrites: boolean;
  readonly resumedFacts: boolean;
}

export interface FaultDuration {
  /** From the fault to its end. */
  readonly faultMs: number;
  /** From its end, while the node returns. */
  readonly afterMs: number;
}

/** Injects a fault under load, ends it, and measures until the node has returned. */
export async function measureFault(
  { stack, load }: { stack: FaultyStack; load: ClusterLoad },
  name: string,
  fault: Fault,
  { faultMs, afterMs }: FaultDuration,
): Promise<FaultMeasurement> {
  const began = performance.now();
  const resumed = await whileFaulty(stack, fault, async () => {
    const before = { writes: load.writes.count, facts: load.facts.count };
    await waitUntil(Date.now() + faultMs);
    return { writes: load.writes.count > before.writes, facts: load.facts.count > before.facts };
  });
  await waitUntil(Date.now() + afterMs);
  return {
    fault: name,
    writesMs: Math.round(load.writes.longestMs(began)),
    uncachedReadsMs: Math.round(load.uncachedReads.longestMs(began)),
    cachedReadsMs: Math.round(load.cachedReads.longestMs(began)),
    factsMs: Math.round(load.facts.longestMs(began)),
    failedCachedReads: load.cachedReads.failuresSince(began),
    failedUncachedReads: load.uncachedReads.failuresSince(began),
    resumedWrites: resumed.writes,
    resumedFacts: resumed.facts,
  };
}
