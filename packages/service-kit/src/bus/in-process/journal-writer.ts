import { AppError, hasCode } from '@lobbystats/contracts/errors';
import type { Journal, JournalEntry } from './journal.ts';
import { trimLog } from './log-retention.ts';

/** Removes, postpones or dead-letters a message; may be repeated. */
export type Settlement = (journal: Journal, nowMs: number) => void;

interface Publication {
  readonly entry: JournalEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface JournalWriterOptions {
  readonly journal: Journal;
  readonly clock: () => number;
  /** Called with the publications of each successful commit. When it throws `unavailable`, another tick is scheduled. */
  readonly onCommit: (published: readonly JournalEntry[]) => void;
}

/** Larger batches are written before the end of the tick, to bound memory. */
const MAX_BATCH_COUNT = 1000;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
const TRIM_EVERY = 128;
const RETRY_MS = 1000;

/**
 * Group commit: one transaction for all publications and settlements of an event loop tick. Failed settlements are
 * retried; failed publications are rejected.
 */
export class JournalWriter {
  readonly #options: JournalWriterOptions;
  #publications: Publication[] = [];
  #bytes = 0;
  #settlements: Settlement[] = [];
  #published: JournalEntry[] = [];
  #factsSinceTrim = TRIM_EVERY;
  #scheduledFlush: NodeJS.Immediate | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
  }

  /** While true, deliveries pause until a write succeeds. */
  get isFailing(): boolean {
    return this.#retry !== undefined;
  }

  /** Resolves when durable. */
  publish(entry: JournalEntry): Promise<void> {
    if (this.#isClosed) return Promise.reject(new AppError('unavailable', 'The bus is closed'));
    return new Promise((resolve, reject) => {
      this.#publications.push({ entry, resolve, reject });
      this.#bytes += entry.body.length;
      if (this.#publications.length >= MAX_BATCH_COUNT || this.#bytes >= MAX_BATCH_BYTES) this.flush();
      this.wake();
    });
  }

  settle(settlement: Settlement): void {
    this.#settlements.push(settlement);
    this.wake();
  }

  wake(): void {
    if (!this.#isClosed) this.#scheduledFlush ??= setImmediate(this.#flushTick);
  }

  flush(): boolean {
    const publications = this.#publications;
    const settlements = this.#settlements;
    if (publications.length === 0 && settlements.length === 0) return !this.isFailing;
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
    if (this.#retry !== undefined) this.#recovered();
    for (const { entry, resolve } of publications) {
      this.#published.push(entry);
      resolve();
    }
    return true;
  }

  async check(): Promise<void> {
    if (this.#isClosed) throw new AppError('unavailable', 'The bus is closed');
    if (!this.isFailing) {
      this.#options.journal.store.check();
      return;
    }
    this.#options.journal.probeWrite();
    this.#recovered();
    this.wake();
  }

  /** Unwritten settlements are redelivered after the next start. */
  close(): void {
    this.flush();
    this.#isClosed = true;
    clearImmediate(this.#scheduledFlush);
    clearTimeout(this.#retry);
  }

  #commit(publications: readonly Publication[], settlements: readonly Settlement[]): void {
    const { journal, clock } = this.#options;
    const now = clock();
    const facts = publications.filter(({ entry }) => entry.isFact).length;
    const isTrimDue = this.#factsSinceTrim + facts >= TRIM_EVERY && facts > 0;
    const write = () => {
      for (const { entry } of publications) journal.add(entry, now);
      for (const settle of settlements) settle(journal, now);
      if (isTrimDue) trimLog(journal, now);
    };
    // Losing settlements to a power cut is harmless: they are handled again.
    if (publications.length === 0) journal.store.nonDurableTransaction(write);
    else journal.store.transaction(write);
    this.#factsSinceTrim = isTrimDue ? 0 : this.#factsSinceTrim + facts;
  }

  readonly #flushTick = (): void => {
    this.#scheduledFlush = undefined;
    if (!this.flush()) return;
    const published = this.#published;
    this.#published = [];
    try {
      this.#options.onCommit(published);
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
