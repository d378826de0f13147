import { Ledger } from './ledger.ts';
import type { Reads, ReputationStore } from './reputation-store.ts';

export interface LedgerDeps {
  readonly store: ReputationStore;
  readonly clock: () => number;
  readonly origin: string;
  /** Yields, since a store in this process is written without a pause. */
  readonly pause: () => Promise<void>;
}

/**
 * Runs one change. `work` may run again after a conflict, and must have no other effects.
 *
 * @param withinMs see {@link ReputationStore.change}
 * @throws AppError `unavailable` when the store is unavailable
 */
export function writeLedger<Result>(
  { store, clock, origin }: LedgerDeps,
  reads: Reads,
  work: (ledger: Ledger) => Result,
  withinMs?: number,
): Promise<Result> {
  return store.change(
    reads,
    (before) => {
      const ledger = new Ledger(before, { origin, nowMs: clock() });
      return { result: work(ledger), change: ledger.toChange() };
    },
    withinMs,
  );
}
