import type { ServiceName } from '@lobbystats/contracts';
import type { Delivery } from '../delivery.ts';
import type { Caution } from './caution.ts';
import type { FeedConsumer } from './feed-consumer.ts';
import type { Journal, JournalEntry, Priority, QueuedRow } from './journal.ts';
import type { JournalWriter } from './journal-writer.ts';

export interface QueueFeedOptions {
  readonly queue: ServiceName;
  readonly journal: Journal;
  readonly writer: JournalWriter;
  readonly caution: Caution;
  readonly clock: () => number;
}

/** A page of the largest bodies must fit into memory. */
const PAGE = 32;
/** Bounds waits after a clock was set back. */
const LONGEST_WAIT_MS = 24 * 3_600_000;
const PRIORITIES: readonly Priority[] = [0, 1];

/**
 * Delivers a queue's messages: live before past, then by age. The read position only advances; returned and retried
 * messages come through `#again`. A restart begins at the front.
 */
export class QueueFeed {
  readonly #options: QueueFeedOptions;
  readonly #consumers: FeedConsumer[] = [];
  readonly #readUpTo: Record<Priority, number> = { 0: 0, 1: 0 };
  readonly #mayHaveMore: Record<Priority, boolean> = { 0: true, 1: true };
  readonly #again: Record<Priority, number[]> = { 0: [], 1: [] };
  #newFirst = false;
  readonly #suspects: { readonly seq: number; readonly priority: Priority }[] = [];
  readonly #backoffs = new Set<NodeJS.Timeout>();

  constructor(options: QueueFeedOptions) {
    this.#options = options;
  }

  addConsumer(consumer: FeedConsumer): void {
    this.#consumers.push(consumer);
    this.#options.writer.wake();
  }

  removeConsumer(consumer: FeedConsumer): void {
    const at = this.#consumers.indexOf(consumer);
    if (at !== -1) this.#consumers.splice(at, 1);
  }

  noticed({ priority }: Pick<JournalEntry, 'priority'>): void {
    this.#mayHaveMore[priority] = true;
  }

  /**
   * Hands over as much as consumers have room for.
   *
   * @throws AppError `unavailable` when the journal can't be read: nothing is lost, call again
   */
  feed(): void {
    let allowed = this.#room();
    if (allowed === 0) return;
    this.#newFirst = !this.#newFirst;
    allowed -= this.#feedSuspect();
    for (const priority of PRIORITIES) {
      if (this.#newFirst) allowed -= this.#feedNew(priority, allowed);
      allowed -= this.#feedAgain(priority, allowed);
      if (!this.#newFirst) allowed -= this.#feedNew(priority, allowed);
    }
  }

  close(): void {
    for (const backoff of this.#backoffs) clearTimeout(backoff);
  }

  #feedAgain(priority: Priority, allowed: number): number {
    const due = this.#again[priority];
    let fed = 0;
    for (let [seq] = due; seq !== undefined && fed < allowed && !this.#heldBack(priority); [seq] = due) {
      const row = this.#options.journal.queuedAt(seq);
      if (row !== undefined) this.#begin([row]);
      due.shift();
      if (row !== undefined) this.#hand(row, priority);
      fed += 1;
    }
    return fed;
  }

  /** One suspect at a time over all queues. */
  #feedSuspect(): number {
    const { journal, caution } = this.#options;
    const [next] = this.#suspects;
    if (next === undefined || !caution.free) return 0;
    const row = journal.queuedAt(next.seq);
    if (row !== undefined) caution.begin([row.seq]);
    this.#suspects.shift();
    if (row === undefined) this.#options.writer.wake();
    else this.#deliver(row, next.priority);
    return 1;
  }

  #begin(rows: readonly QueuedRow[]): void {
    const { caution } = this.#options;
    caution.begin(rows.map(({ seq }) => seq).filter((seq) => !caution.isSuspect(seq)));
  }

  #hand(row: QueuedRow, priority: Priority): void {
    if (this.#options.caution.isSuspect(row.seq) || this.#heldBack(priority)) {
      this.#suspects.push({ seq: row.seq, priority });
      this.#options.writer.wake();
    } else this.#deliver(row, priority);
  }

  #feedNew(priority: Priority, allowed: number): number {
    const { queue, journal, clock } = this.#options;
    let fed = 0;
    while (this.#mayHaveMore[priority] && fed < allowed && !this.#heldBack(priority)) {
      const limit = Math.min(allowed - fed, PAGE);
      const rows = journal.queuedAfter(queue, priority, this.#readUpTo[priority], limit);
      const now = clock();
      this.#begin(rows.filter(({ availableAt }) => availableAt <= now));
      this.#mayHaveMore[priority] = rows.length === limit;
      for (const row of rows) {
        this.#readUpTo[priority] = row.seq;
        if (row.availableAt > now) this.#later(row.seq, priority, row.availableAt - now);
        else this.#hand(row, priority);
      }
      fed += rows.length;
    }
    return fed;
  }

  /** Past and ordered messages don't pass suspects. */
  #heldBack(priority: Priority): boolean {
    return priority === 1 && this.#suspects.some((suspect) => suspect.priority === priority);
  }

  #deliver(row: QueuedRow, priority: Priority): void {
    const { writer, clock, caution } = this.#options;
    const { seq, body } = row;
    const consumer = this.#roomiest();
    if (consumer === undefined) {
      caution.released(seq);
      this.#later(seq, priority, 0);
      return;
    }
    const attempt = row.attempts + 1;
    consumer.take(body);
    const settled = (): void => {
      consumer.giveBack(body);
      caution.settled(seq);
    };
    const delivery: Delivery = {
      body,
      attempt,
      verdict: caution.verdict(seq),
      expiresAtMs: row.expiresAt ?? undefined,
      ack: () => {
        settled();
        writer.settle({ kind: 'done', seq });
      },
      retry: (delayMs) => {
        settled();
        writer.settle({ kind: 'again', seq, attempts: attempt, availableAt: clock() + delayMs });
        this.#later(seq, priority, delayMs);
      },
      dead: (reason) => {
        settled();
        writer.settle({ kind: 'dead', seq, attempts: attempt, reason });
      },
      release: () => {
        consumer.giveBack(body);
        caution.released(seq);
        this.#later(seq, priority, 0);
      },
    };
    consumer.dispatcher.deliver(delivery);
  }

  #later(seq: number, priority: Priority, delayMs: number): void {
    const again = (): void => {
      this.#again[priority].push(seq);
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
      Math.min(delayMs, LONGEST_WAIT_MS),
    );
    this.#backoffs.add(backoff);
  }

  #room(): number {
    return this.#consumers.reduce((sum, { room }) => sum + Math.max(room, 0), 0);
  }

  #roomiest(): FeedConsumer | undefined {
    let best: FeedConsumer | undefined;
    for (const consumer of this.#consumers) if (consumer.room > (best?.room ?? 0)) best = consumer;
    return best;
  }
}
