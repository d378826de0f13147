import type { ServiceName } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import { openSqliteStore, type SqliteStore } from '@lobbystats/sqlite-store';
import type { JournalPlace } from './journal-place.ts';
import { JOURNAL_NAME, journalMigrations } from './journal-schema.ts';
import { holdJournal } from './owner-lock.ts';

/** 0 is live, 1 is past: what is lower goes first. */
export type Priority = 0 | 1;

/** A message as it goes in: to queues, to the log, or to both. */
export interface JournalEntry {
  readonly queues: readonly ServiceName[];
  readonly fact: boolean;
  readonly priority: Priority;
  /** Epoch milliseconds. */
  readonly expiresAt: number | null;
  readonly body: string;
}

/** A message in a queue. Times are epoch milliseconds. */
export interface QueuedRow {
  readonly seq: number;
  readonly attempts: number;
  readonly availableAt: number;
  readonly expiresAt: number | null;
  readonly body: string;
}

/** A fact in the log. */
export interface FactRow {
  readonly offset: number;
  readonly body: string;
}

const QUEUED = 'SELECT seq, attempts, available_at AS availableAt, expires_at AS expiresAt, body FROM queued';

/** The file's `user_version` from `begin` to `close`. */
const IN_USE = 1;

/**
 * The event loop stands still while SQLite waits for another process: publishers had better hear `unavailable`. And it
 * stands still while SQLite carries the write-ahead log (64 MiB) home: messages that come and go touch the same pages
 * again and again, so the rarer that is, the fewer they are.
 */
const CONNECTION = `
  PRAGMA busy_timeout = 1000;
  PRAGMA wal_autocheckpoint = 16384;
  PRAGMA journal_size_limit = 67108864;`;

/** Queues, dead letters and the log of facts in one SQLite file, statement by statement; `JournalWriter` makes commits of them. */
export class Journal {
  readonly store: SqliteStore;
  /** Names the log for good: a position of another log can be told. */
  readonly logId: string;
  readonly #release: () => void;
  /** Up to this `seq` hand-overs are written down. */
  #countedUpTo = 0;
  #isInUse = false;

  constructor(store: SqliteStore, release: () => void = () => undefined) {
    this.store = store;
    this.#release = release;
    this.logId = store.get<{ id: string }>('SELECT id FROM log_identity')?.id ?? '';
  }

  add({ queues, fact, priority, expiresAt, body }: JournalEntry, now: number): void {
    for (const queue of queues) {
      this.store.run(
        'INSERT INTO queued (queue, priority, expires_at, body) VALUES (?, ?, ?, ?)',
        queue,
        priority,
        expiresAt,
        body,
      );
    }
    if (!fact) return;
    this.store.run(
      `INSERT INTO fact (stored_at, end_byte, body)
       SELECT ?, coalesce((SELECT end_byte FROM fact ORDER BY log_offset DESC LIMIT 1), 0) + ?, ?`,
      now,
      Buffer.byteLength(body),
      body,
    );
  }

  /** What stands in a queue behind a `seq`, in order. */
  queuedAfter(queue: ServiceName, priority: Priority, seq: number, limit: number): QueuedRow[] {
    return this.store.all(
      `${QUEUED} WHERE queue = ? AND priority = ? AND seq > ? ORDER BY seq LIMIT ?`,
      queue,
      priority,
      seq,
      limit,
    );
  }

  queuedAt(seq: number): QueuedRow | undefined {
    return this.store.get(`${QUEUED} WHERE seq = ?`, seq);
  }

  remove(seq: number): void {
    this.store.run('DELETE FROM queued WHERE seq = ?', seq);
    this.#forgetHandOver(seq);
  }

  postpone(seq: number, attempts: number, availableAt: number): void {
    this.store.run('UPDATE queued SET attempts = ?, available_at = ? WHERE seq = ?', attempts, availableAt, seq);
    this.#forgetHandOver(seq);
  }

  bury(seq: number, attempts: number, reason: string, now: number): void {
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

  /** The offsets of the oldest fact and the newest; of an empty log, 1 and 0. */
  logBounds(): { oldest: number; newest: number } {
    return (
      this.store.get(
        'SELECT coalesce(min(log_offset), 1) AS oldest, coalesce(max(log_offset), 0) AS newest FROM fact',
      ) ?? { oldest: 1, newest: 0 }
    );
  }

  /**
   * Begins a life that `close` ends. After one that ended otherwise: up to which `seq` its messages go, and in the
   * hand-over of which of them the process has died how often.
   */
  begin(): { upTo: number; deaths: Map<number, number> } {
    const { store } = this;
    const remains = store.transaction(() => {
      const wasClosed = store.get<{ user_version: number }>('PRAGMA user_version')?.user_version !== IN_USE;
      store.run(`PRAGMA user_version = ${IN_USE}`);
      if (wasClosed) return { upTo: 0, deaths: new Map<number, number>() };
      this.#countedUpTo = store.get<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM queued')?.seq ?? 0;
      const begun = store.all<{ seq: number; begun: number }>('SELECT seq, begun FROM hand_over');
      return { upTo: this.#countedUpTo, deaths: new Map(begun.map((row) => [row.seq, row.begun])) };
    });
    this.#isInUse = true;
    return remains;
  }

  /** Makes durable how often the hand-overs of messages were begun. */
  beginHandOvers(begun: readonly (readonly [seq: number, times: number])[]): void {
    this.store.transaction(() => {
      for (const [seq, times] of begun) {
        this.store.run('INSERT OR REPLACE INTO hand_over (seq, begun) VALUES (?, ?)', seq, times);
      }
    });
  }

  /** A number that changes when another process has written to the file. */
  foreignVersion(): number {
    return this.store.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
  }

  /** Throws AppError `unavailable` when nothing can be written now. */
  probe(): void {
    this.store.transaction(() => this.store.run('UPDATE log_identity SET id = id'));
  }

  close(): void {
    try {
      if (this.#isInUse) this.#end();
    } finally {
      this.store.close();
      this.#release();
    }
  }

  #end(): void {
    try {
      this.store.transaction(() => {
        this.store.run('DELETE FROM hand_over');
        this.store.run('PRAGMA user_version = 0');
      });
    } catch (error) {
      // The next life will only be more careful than it must be.
      if (!hasCode(error, 'unavailable')) throw error;
    }
  }

  #forgetHandOver(seq: number): void {
    if (seq <= this.#countedUpTo) this.store.run('DELETE FROM hand_over WHERE seq = ?', seq);
  }
}

/**
 * Opens the journal as its only owner.
 *
 * @throws JournalInUseError when another process has it
 * @throws StoreRefusedError when it belongs to another network or to newer code, or its file can't be used
 */
export function openJournal({ path, durable }: JournalPlace, origin: string): Journal {
  const lock = durable ? holdJournal(path) : undefined;
  try {
    const store = openSqliteStore({
      url: `sqlite:${path}`,
      name: JOURNAL_NAME,
      origin,
      migrations: journalMigrations,
      durability: 'full',
    });
    store.db.exec(CONNECTION);
    return new Journal(store, () => lock?.release());
  } catch (error) {
    lock?.release();
    throw error;
  }
}
