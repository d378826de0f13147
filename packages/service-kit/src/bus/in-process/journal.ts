import type { ServiceName } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import type { SqliteStore } from '../../sqlite/index.ts';

/** 0: live, 1: past. */
export type Priority = 0 | 1;

export interface JournalEntry {
  readonly queues: readonly ServiceName[];
  readonly isFact: boolean;
  readonly priority: Priority;
  readonly expiresAt: number | null;
  readonly body: string;
}

export interface QueuedRow {
  readonly seq: number;
  readonly attempts: number;
  readonly availableAt: number;
  readonly expiresAt: number | null;
  readonly body: string;
}

export interface FactRow {
  readonly offset: number;
  readonly body: string;
}

const SELECT_QUEUED = 'SELECT seq, attempts, available_at AS availableAt, expires_at AS expiresAt, body FROM queued';

/** `user_version` while a process has the journal open. */
const IN_USE = 1;

/** Queues, dead letters and the log of facts in one SQLite file. `JournalWriter` groups its statements into commits. */
export class Journal {
  readonly store: SqliteStore;
  readonly logId: string;
  readonly #release: () => void;
  /** Deliveries up to this `seq` are recorded. */
  #recordedUpTo = 0;
  #isInUse = false;

  constructor(store: SqliteStore, release: () => void = () => undefined) {
    this.store = store;
    this.#release = release;
    this.logId = store.get<{ id: string }>('SELECT id FROM log_identity')?.id ?? '';
  }

  /** Call it within a transaction. */
  add({ queues, isFact, priority, expiresAt, body }: JournalEntry, now: number): void {
    for (const queue of queues) {
      this.store
        .prepare('INSERT INTO queued (queue, priority, expires_at, body) VALUES (?, ?, ?, ?)')
        .run(queue, priority, expiresAt, body);
    }
    if (!isFact) return;
    this.store
      .prepare(
        `INSERT INTO fact (stored_at, end_byte, body)
         SELECT ?, coalesce((SELECT end_byte FROM fact ORDER BY log_offset DESC LIMIT 1), 0) + ?, ?`,
      )
      .run(now, Buffer.byteLength(body), body);
  }

  queuedAfter(queue: ServiceName, priority: Priority, seq: number, limit: number): QueuedRow[] {
    return this.store.all(
      `${SELECT_QUEUED} WHERE queue = ? AND priority = ? AND seq > ? ORDER BY seq LIMIT ?`,
      queue,
      priority,
      seq,
      limit,
    );
  }

  queuedAt(seq: number): QueuedRow | undefined {
    return this.store.get(`${SELECT_QUEUED} WHERE seq = ?`, seq);
  }

  remove(seq: number): void {
    this.store.run('DELETE FROM queued WHERE seq = ?', seq);
    this.#clearDispatches(seq);
  }

  postpone(seq: number, attempts: number, availableAt: number): void {
    this.store.run('UPDATE queued SET attempts = ?, available_at = ? WHERE seq = ?', attempts, availableAt, seq);
    this.#clearDispatches(seq);
  }

  deadLetter(seq: number, attempts: number, reason: string, now: number): void {
    this.store.run(
      `INSERT INTO dead_letter (queue, priority, attempts, expires_at, reason, died_at, body)
       SELECT queue, priority, ?, expires_at, ?, ?, body FROM queued WHERE seq = ?`,
      attempts,
      reason,
      now,
      seq,
    );
    this.remove(seq);
  }

  depth(queue: ServiceName): number {
    return this.store.get<{ depth: number }>('SELECT count(*) AS depth FROM queued WHERE queue = ?', queue)?.depth ?? 0;
  }

  factsAfter(offset: number, limit: number): FactRow[] {
    return this.store.all(
      'SELECT log_offset AS offset, body FROM fact WHERE log_offset > ? ORDER BY log_offset LIMIT ?',
      offset,
      limit,
    );
  }

  /** Oldest 1 and newest 0 for an empty log. */
  logBounds(): { oldest: number; newest: number } {
    return (
      this.store.get(
        'SELECT coalesce(min(log_offset), 1) AS oldest, coalesce(max(log_offset), 0) AS newest FROM fact',
      ) ?? { oldest: 1, newest: 0 }
    );
  }

  /** Marks the journal as open. Returns the last `seq` at an unclean end, and the crashes by message. */
  markOpen(): { upTo: number; deaths: Map<number, number> } {
    const { store } = this;
    const remains = store.transaction(() => {
      const wasClosed = store.get<{ user_version: number }>('PRAGMA user_version')?.user_version !== IN_USE;
      store.run(`PRAGMA user_version = ${IN_USE}`);
      if (wasClosed) return { upTo: 0, deaths: new Map<number, number>() };
      this.#recordedUpTo = store.get<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM queued')?.seq ?? 0;
      const begun = store.all<{ seq: number; begun: number }>('SELECT seq, begun FROM delivery');
      return { upTo: this.#recordedUpTo, deaths: new Map(begun.map((row) => [row.seq, row.begun])) };
    });
    this.#isInUse = true;
    return remains;
  }

  recordDispatches(begun: readonly (readonly [seq: number, times: number])[]): void {
    this.store.transaction(() => {
      for (const [seq, times] of begun) {
        this.store.run('INSERT OR REPLACE INTO delivery (seq, begun) VALUES (?, ?)', seq, times);
      }
    });
  }

  dataVersion(): number {
    return this.store.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
  }

  probeWrite(): void {
    this.store.transaction(() => this.store.run('UPDATE log_identity SET id = id'));
  }

  close(): void {
    try {
      if (this.#isInUse) this.#markClosed();
    } finally {
      this.store.close();
      this.#release();
    }
  }

  #markClosed(): void {
    try {
      this.store.transaction(() => {
        this.store.run('DELETE FROM delivery');
        this.store.run('PRAGMA user_version = 0');
      });
    } catch (error) {
      // Harmless: the next start treats the end as unclean.
      if (!hasCode(error, 'unavailable')) throw error;
    }
  }

  #clearDispatches(seq: number): void {
    if (seq <= this.#recordedUpTo) this.store.run('DELETE FROM delivery WHERE seq = ?', seq);
  }
}
