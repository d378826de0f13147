import { Ledger } from './ledger.ts';
import type { Reads, ReputationStore } from './reputation-store.ts';

/** What every change is made with. */
export interface Desk {
  readonly store: ReputationStore;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** The network whose people they are. */
  readonly origin: string;
  /** Lets others have their turn: a store in this process is written without a pause. */
  readonly pause: () => Promise<void>;
}

/**
 * Makes one change.
 *
 * @param work without effects but on the ledger: it may be called again
 * @param withinMs see {@link ReputationStore.change}
 * @throws AppError `unavailable` when it couldn't be made durable
 */
export function writeLedger<Result>(
  { store, clock, origin }: Desk,
  reads: Reads,
  work: (ledger: Ledger) => Result,
  withinMs?: number,
): Promise<Result> {
  return store.change(
    reads,
    (before) => {
      const ledger = new Ledger(before, { origin, nowMs: clock() });
      return { result: work(ledger), change: ledger.change() };
    },
    withinMs,
  );
}
