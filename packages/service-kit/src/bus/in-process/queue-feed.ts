import type { ServiceName } from '@lobbystats/contracts';
import type { Delivery } from '../dispatch.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { CrashLoopGuard } from './crash-loop-guard.ts';
import { FeedConsumers } from './feed-consumers.ts';
import type { Journal, JournalEntry, Priority, QueuedRow } from './journal.ts';
import type { JournalWriter } from './journal-writer.ts';

export interface QueueFeedOptions {
  readonly queue: ServiceName;
  readonly journal: Journal;
  readonly writer: JournalWriter;
  readonly crashLoopGuard: CrashLoopGuard;
  readonly clock: () => number;
}

/** Small enough that a page of the largest bodies fits into memory. */
const PAGE_SIZE = 32;
/** Bounds timers after the clock was set back. */
const MAX_TIMER_MS = 24 * 3_600_000;
const PRIORITIES: readonly Priority[] = [0, 1];

/**
 * Delivers a queue's messages: live before past, then by age. The read position only advances; returned and retried
 * messages come through `#redeliveries`. A restart begins at the front.
 */
export class QueueFeed {
  readonly #options: QueueFeedOptions;
  readonly #consumers = new FeedConsumers();
  readonly #readUpTo: Record<Priority, number> = { 0: 0, 1: 0 };
  readonly #mayHaveMore: Record<Priority, boolean> = { 0: true, 1: true };
  readonly #redeliveries: Record<Priority, number[]> = { 0: [], 1: [] };
  #isNewFirst = false;
  readonly #suspects: { readonly seq: number; readonly priority: Priority }[] = [];
  readonly #backoffs = new Set<NodeJS.Timeout>();

  constructor(options: QueueFeedOptions) {
    this.#options = options;
  }

  /** Returns a function that removes the consumer. */
  addConsumer(prefetch: number, dispatcher: Dispatcher): () => void {
    this.#options.writer.wake();
    return this.#consumers.add(prefetch, dispatcher);
  }

  onPublished({ priority }: Pick<JournalEntry, 'priority'>): void {
    this.#mayHaveMore[priority] = true;
  }

  /**
   * Delivers as many messages as the consumers have capacity for.
   *
   * @throws AppError `unavailable` when the journal can't be read; no message is lost, call again
   */
  feed(): void {
    const hasMessages = PRIORITIES.some((one) => this.#mayHaveMore[one] || this.#redeliveries[one].length > 0);
    if (!hasMessages && this.#suspects.length === 0) return;
    let allowed = this.#consumers.freeCapacity;
    if (allowed === 0) return;
    this.#isNewFirst = !this.#isNewFirst;
    allowed -= this.#feedSuspect();
    for (const priority of PRIORITIES) {
      if (this.#isNewFirst) allowed -= this.#feedNew(priority, allowed);
      allowed -= this.#feedRedeliveries(priority, allowed);
      if (!this.#isNewFirst) allowed -= this.#feedNew(priority, allowed);
    }
  }

  close(): void {
    for (const backoff of this.#backoffs) clearTimeout(backoff);
  }

  #feedRedeliveries(priority: Priority, allowed: number): number {
    const due = this.#redeliveries[priority];
    let fed = 0;
    for (let [seq] = due; seq !== undefined && fed < allowed && !this.#isHeldBack(priority); [seq] = due) {
      const row = this.#options.journal.queuedAt(seq);
      if (row !== undefined) this.#recordDispatch([row]);
      due.shift();
      if (row !== undefined) this.#deliverOrHold(row, priority);
      fed += 1;
    }
    return fed;
  }

  /** One suspect at a time over all queues. */
  #feedSuspect(): number {
    const { journal, crashLoopGuard } = this.#options;
    const [next] = this.#suspects;
    if (next === undefined || !crashLoopGuard.isIdle) return 0;
    const row = journal.queuedAt(next.seq);
    if (row !== undefined) crashLoopGuard.recordDispatch([row.seq]);
    this.#suspects.shift();
    if (row === undefined) this.#options.writer.wake();
    else this.#deliver(row, next.priority);
    return 1;
  }

  #recordDispatch(rows: readonly QueuedRow[]): void {
    const { crashLoopGuard } = this.#options;
    crashLoopGuard.recordDispatch(rows.map(({ seq }) => seq).filter((seq) => !crashLoopGuard.isSuspect(seq)));
  }

  #deliverOrHold(row: QueuedRow, priority: Priority): void {
    if (this.#options.crashLoopGuard.isSuspect(row.seq) || this.#isHeldBack(priority)) {
      this.#suspects.push({ seq: row.seq, priority });
      this.#options.writer.wake();
    } else this.#deliver(row, priority);
  }

  #feedNew(priority: Priority, allowed: number): number {
    const { queue, journal, clock } = this.#options;
    let fed = 0;
    while (this.#mayHaveMore[priority] && fed < allowed && !this.#isHeldBack(priority)) {
      const limit = Math.min(allowed - fed, PAGE_SIZE);
      const rows = journal.queuedAfter(queue, priority, this.#readUpTo[priority], limit);
      const now = clock();
      this.#recordDispatch(rows.filter(({ availableAt }) => availableAt <= now));
      this.#mayHaveMore[priority] = rows.length === limit;
      for (const row of rows) {
        this.#readUpTo[priority] = row.seq;
        if (row.availableAt > now) this.#scheduleRedelivery(row.seq, priority, row.availableAt - now);
        else this.#deliverOrHold(row, priority);
      }
      fed += rows.length;
    }
    return fed;
  }

  /** Past and ordered messages must not overtake suspects. */
  #isHeldBack(priority: Priority): boolean {
    return priority === 1 && this.#suspects.some((suspect) => suspect.priority === priority);
  }

  #deliver(row: QueuedRow, priority: Priority): void {
    const { writer, clock, crashLoopGuard } = this.#options;
    const { seq, body } = row;
    const consumer = this.#consumers.leastBusy();
    if (consumer === undefined) {
      crashLoopGuard.onReleased(seq);
      this.#scheduleRedelivery(seq, priority, 0);
      return;
    }
    const attempt = row.attempts + 1;
    consumer.acquire(body);
    const settled = (): void => {
      consumer.release(body);
      crashLoopGuard.onSettled(seq);
    };
    const delivery: Delivery = {
      body,
      attempt,
      poisonReason: crashLoopGuard.poisonReason(seq),
      expiresAtMs: row.expiresAt ?? undefined,
      ack: () => {
        settled();
        writer.settle((journal) => journal.remove(seq));
      },
      retry: (delayMs) => {
        settled();
        const availableAt = clock() + delayMs;
        writer.settle((journal) => journal.postpone(seq, attempt, availableAt));
        this.#scheduleRedelivery(seq, priority, delayMs);
      },
      deadLetter: (reason) => {
        settled();
        writer.settle((journal, nowMs) => journal.deadLetter(seq, attempt, reason, nowMs));
      },
      release: () => {
        consumer.release(body);
        crashLoopGuard.onReleased(seq);
        this.#scheduleRedelivery(seq, priority, 0);
      },
    };
    consumer.dispatcher.deliver(delivery);
  }

  #scheduleRedelivery(seq: number, priority: Priority, delayMs: number): void {
    const again = (): void => {
      this.#redeliveries[priority].push(seq);
      this.#options.writer.wake();
    };
    if (delayMs === 0) {
      again();
      return;
    }
    const backoff = setTimeout(
      () => {
        this.#backoffs.delete(backoff);
        again();
      },
      Math.min(delayMs, MAX_TIMER_MS),
    );
    this.#backoffs.add(backoff);
  }
}
