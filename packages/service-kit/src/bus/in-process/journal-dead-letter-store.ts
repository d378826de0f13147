import { DatabaseSync } from 'node:sqlite';
import { formatInstant } from '@lobbystats/contracts';
import { fileExists } from '../../file-errors.ts';
import { openSqliteStore, StoreRefusedError, type SqliteStore } from '../../sqlite/index.ts';
import type { DeadLetterStore, DeadLetter, DeadLetterSelection } from '../message-bus.ts';
import { journalMigrations, JOURNAL_NAME } from './journal-schema.ts';

export class NoJournalError extends Error {
  override readonly name = 'NoJournalError';
}

/**
 * Opens a journal's dead letters, also while a bus uses it.
 *
 * @throws NoJournalError when the file doesn't exist
 * @throws StoreRefusedError when it isn't a journal, or one of another release
 */
export function openJournalDeadLetterStore(path: string): DeadLetterStore {
  if (!fileExists(path)) throw new NoJournalError(`there is no bus journal at ${path} yet`);
  const store = openSqliteStore({
    url: `sqlite:${path}`,
    name: JOURNAL_NAME,
    origin: readOrigin(path),
    migrations: journalMigrations,
    durability: 'full',
    lockTimeoutMs: 5000,
  });
  return new JournalDeadLetterStore(store);
}

/** Read from the file, since operators don't give it. Only the bus migrates the schema. */
function readOrigin(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const stored = new Map(
      db
        .prepare('SELECT key, value FROM store_identity')
        .all()
        .map((row) => [row['key'], String(row['value'])]),
    );
    if (Number(stored.get('schema_version') ?? 0) < journalMigrations.length) {
      throw new StoreRefusedError(`${path} was written by an older release: start this release on it once`);
    }
    return stored.get('origin') ?? '';
  } catch (error) {
    if (error instanceof StoreRefusedError) throw error;
    throw new StoreRefusedError(`${path} is not a bus journal`, { cause: error });
  } finally {
    db.close();
  }
}

interface DeadLetterRow extends Omit<DeadLetter, 'diedAt'> {
  diedAt: number;
}

const CHUNK_SIZE = 200;

/** Dead letters of a journal that another process may own. */
export class JournalDeadLetterStore implements DeadLetterStore {
  readonly #store: SqliteStore;
  readonly #onRequeued: () => void;

  /**
   * @param onRequeued notifies a bus on the same connection, which does not detect its own writes
   */
  constructor(store: SqliteStore, onRequeued: () => void = () => undefined) {
    this.#store = store;
    this.#onRequeued = onRequeued;
  }

  async list(selection: DeadLetterSelection = {}): Promise<DeadLetter[]> {
    const { where, values } = toWhereClause(selection);
    const rows = this.#store.all<DeadLetterRow>(
      `SELECT CAST(id AS TEXT) AS id, queue, reason, attempts, died_at AS diedAt, body
       FROM dead_letter WHERE ${where} ORDER BY dead_letter.id`,
      ...values,
    );
    return rows.map((row) => ({ ...row, diedAt: formatInstant(row.diedAt / 1000) }));
  }

  async requeue(selection: DeadLetterSelection = {}): Promise<number> {
    const count = this.#inChunks(selection, (ids) => {
      this.#store.run(
        `INSERT INTO queued (queue, priority, expires_at, body)
         SELECT queue, priority, expires_at, body FROM dead_letter
         WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
        ids,
      );
      this.#remove(ids);
    });
    this.#onRequeued();
    return count;
  }

  async purge(selection: DeadLetterSelection = {}): Promise<number> {
    return this.#inChunks(selection, (ids) => this.#remove(ids));
  }

  async close(): Promise<void> {
    this.#store.close();
  }

  #remove(ids: string): void {
    this.#store.run('DELETE FROM dead_letter WHERE id IN (SELECT value FROM json_each(?))', ids);
  }

  /** Covers only messages that were dead at the start: requeued ones may become dead letters again meanwhile. */
  #inChunks(selection: DeadLetterSelection, work: (ids: string) => void): number {
    const { where, values } = toWhereClause(selection);
    const newest = this.#store.get<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM dead_letter')?.id ?? 0;
    let count = 0;
    for (let chunk = CHUNK_SIZE; chunk === CHUNK_SIZE; count += chunk) {
      chunk = this.#store.transaction(() => {
        const rows = this.#store.all<{ id: number }>(
          `SELECT id FROM dead_letter WHERE ${where} AND id <= ? ORDER BY id LIMIT ?`,
          ...values,
          newest,
          CHUNK_SIZE,
        );
        work(JSON.stringify(rows.map(({ id }) => id)));
        return rows.length;
      });
    }
    return count;
  }
}

function toWhereClause({ queue, ids }: DeadLetterSelection): { where: string; values: string[] } {
  const parts = ['1'];
  const values: string[] = [];
  if (queue !== undefined) {
    parts.push('queue = ?');
    values.push(queue);
  }
  if (ids !== undefined) {
    parts.push('id IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number)));
  }
  return { where: parts.join(' AND '), values };
}
