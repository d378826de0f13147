import { AppError, hasCode } from '@lobbystats/errors';
import type { Journal, JournalEntry } from './journal.ts';
import { trimLog } from './log-retention.ts';

/** What has become of a message in a queue. */
export type Settlement =
  | { readonly kind: 'done'; readonly seq: number }
  | { readonly kind: 'again'; readonly seq: number; readonly attempts: number; readonly availableAt: number }
  | { readonly kind: 'dead'; readonly seq: number; readonly attempts: number; readonly reason: string };

interface Publication {
  readonly entry: JournalEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface JournalWriterOptions {
  readonly journal: Journal;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /**
   * Called at the end of each turn in which everything could be written, with what was published in it. When it throws
   * AppError `unavailable` there will be another turn a while later.
   */
  readonly onTurn: (published: readonly JournalEntry[]) => void;
}

/** So many publications or bytes are written without waiting for the end of the turn: nothing piles up in memory. */
const EARLY_COUNT = 1000;
const EARLY_BYTES = 16 * 1024 * 1024;
const TRIM_EVERY = 128;
const RETRY_MS = 1000;

/**
 * Group commit: all that is published and settled in one turn of the event loop becomes one transaction. Settlements
 * that can't be written are kept and tried again; publications that can't are refused.
 */
export class JournalWriter {
  readonly #options: JournalWriterOptions;
  #publications: Publication[] = [];
  #bytes = 0;
  #settlements: Settlement[] = [];
  #published: JournalEntry[] = [];
  #factsSinceTrim = TRIM_EVERY;
  #turn: NodeJS.Immediate | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
  }

  /** Whether the last attempt to write failed: deliveries stand still until one succeeds. */
  get failing(): boolean {
    return this.#retry !== undefined;
  }

  /** Resolves when the entry is durable; rejects with AppError `unavailable` when it couldn't be made so. */
  publish(entry: JournalEntry): Promise<void> {
    if (this.#closed) return Promise.reject(new AppError('unavailable', 'The bus is closed'));
    return new Promise((resolve, reject) => {
      this.#publications.push({ entry, resolve, reject });
      this.#bytes += entry.body.length;
      if (this.#publications.length >= EARLY_COUNT || this.#bytes >= EARLY_BYTES) this.flush();
      this.wake();
    });
  }

  settle(settlement: Settlement): void {
    this.#settlements.push(settlement);
    this.wake();
  }

  /** Asks for a turn even though nothing has to be written. */
  wake(): void {
    if (!this.#closed) this.#turn ??= setImmediate(this.#endTurn);
  }

  /** Writes all there is, now; whether that succeeded. */
  flush(): boolean {
    const publications = this.#publications;
    const settlements = this.#settlements;
    if (publications.length === 0 && settlements.length === 0) return !this.failing;
    this.#publications = [];
    this.#bytes = 0;
    try {
      this.#commit(publications, settlements);
    } catch (error) {
      this.#retryLater();
      for (const { reject } of publications) reject(error);
      return false;
    }
    this.#settlements = [];
    this.#recovered();
    for (const { entry, resolve } of publications) {
      this.#published.push(entry);
      resolve();
    }
    return true;
  }

  /** Rejects with AppError `unavailable` when nothing can be written. */
  async check(): Promise<void> {
    if (this.#closed) throw new AppError('unavailable', 'The bus is closed');
    if (!this.failing) {
      this.#options.journal.store.check();
      return;
    }
    this.#options.journal.probe();
    this.#recovered();
    this.wake();
  }

  /** Writes what can be written and ends. What can't be settled any more will be delivered once more. */
  close(): void {
    this.flush();
    this.#closed = true;
    clearImmediate(this.#turn);
    clearTimeout(this.#retry);
  }

  #commit(publications: readonly Publication[], settlements: readonly Settlement[]): void {
    const { journal, clock } = this.#options;
    const now = clock();
    const facts = publications.filter(({ entry }) => entry.fact).length;
    const isTrimDue = this.#factsSinceTrim + facts >= TRIM_EVERY && facts > 0;
    const write = () => {
      for (const { entry } of publications) journal.add(entry, now);
      for (const settlement of settlements) this.#write(settlement, now);
      if (isTrimDue) trimLog(journal, now);
    };
    // What was settled and comes again with the power is handled once more: that does no harm, and nobody waits for it.
    if (publications.length === 0) journal.store.lossyTransaction(write);
    else journal.store.transaction(write);
    this.#factsSinceTrim = isTrimDue ? 0 : this.#factsSinceTrim + facts;
  }

  #write(settlement: Settlement, now: number): void {
    const { journal } = this.#options;
    if (settlement.kind === 'done') journal.remove(settlement.seq);
    else if (settlement.kind === 'again') journal.postpone(settlement.seq, settlement.attempts, settlement.availableAt);
    else journal.bury(settlement.seq, settlement.attempts, settlement.reason, now);
  }

  readonly #endTurn = (): void => {
    this.#turn = undefined;
    if (!this.flush()) return;
    const published = this.#published;
    this.#published = [];
    try {
      this.#options.onTurn(published);
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      this.#retryLater();
    }
  };

  #retryLater(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (this.#settlements.length > 0) this.wake();
      else void this.check().catch(() => this.#retryLater());
    }, RETRY_MS);
  }

  #recovered(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }
}
