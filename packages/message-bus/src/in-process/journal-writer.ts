import { AppError, hasCode } from '@lobbystats/errors';
import type { Journal, JournalEntry } from './journal.ts';
import { trimLog } from './log-retention.ts';

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
  readonly clock: () => number;
  /** Called after each turn that could be written, with its publications. `unavailable` schedules another turn. */
  readonly onTurn: (published: readonly JournalEntry[]) => void;
}

/** Written before the end of the turn, to bound memory. */
const EARLY_COUNT = 1000;
const EARLY_BYTES = 16 * 1024 * 1024;
const TRIM_EVERY = 128;
const RETRY_MS = 1000;

/**
 * Group commit: one transaction for all publications and settlements of an event loop turn. Failed settlements are kept
 * and retried; failed publications are refused.
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

  /** Deliveries stop until a write succeeds. */
  get failing(): boolean {
    return this.#retry !== undefined;
  }

  /** Resolves when durable. */
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

  wake(): void {
    if (!this.#closed) this.#turn ??= setImmediate(this.#endTurn);
  }

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

  /** Unwritten settlements are redelivered after the next start. */
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
    // Losing settlements to a power cut is harmless: they are handled again.
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
