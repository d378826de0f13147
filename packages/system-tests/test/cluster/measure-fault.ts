import type { ClusterLoad } from './cluster-load.ts';
import type { FaultyStack, NodeFault } from './node-faults.ts';
import { pace } from './pace.ts';

/** The longest interruption of each kind of traffic, in milliseconds, and failed cached reads. */
export interface FaultMeasurement {
  readonly fault: string;
  readonly service: string;
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

/** Injects a fault under load, heals it, and measures until the node has returned. */
export async function measureFault(
  { stack, load }: { stack: FaultyStack; load: ClusterLoad },
  fault: NodeFault,
  service: string,
  { faultMs, afterMs }: FaultDuration,
): Promise<FaultMeasurement> {
  const began = performance.now();
  await fault.inject(stack, service);
  const before = { writes: load.writes.count, facts: load.facts.count };
  await pace(faultMs);
  const during = { writes: load.writes.count, facts: load.facts.count };
  await fault.heal(stack, service);
  await pace(afterMs);
  return {
    fault: fault.name,
    service,
    writesMs: Math.round(load.writes.longestMs(began)),
    uncachedReadsMs: Math.round(load.uncachedReads.longestMs(began)),
    cachedReadsMs: Math.round(load.cachedReads.longestMs(began)),
    factsMs: Math.round(load.facts.longestMs(began)),
    failedCachedReads: load.cachedReads.failuresSince(began),
    failedUncachedReads: load.uncachedReads.failuresSince(began),
    resumedWrites: during.writes > before.writes,
    resumedFacts: during.facts > before.facts,
  };
}
