import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { AppError } from '@lobbystats/errors';
import { claimStore, type StoreIdentity } from './store-identity.ts';

export interface SqliteStoreOptions extends StoreIdentity {
  /** `sqlite:PATH`, or `sqlite::memory:` for a store that lives as long as the process. */
  url: string;
  /** SQL scripts in order; never change one that has been released. */
  migrations: readonly string[];
  /**
   * `full` where losing the last commits to a power cut would lose what people wrote; `normal` where the network can be
   * read again. Neither loses a commit to a killed process.
   */
  durability: 'full' | 'normal';
}

/** One SQLite file with one writer: opened safely, with its schema up to date and its statements prepared once. */
export class SqliteStore {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  /** The prepared statement of this SQL text; the same text gives the same statement. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** All rows. `Row` is the caller's word for the columns that its SQL names. */
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guard(() => this.prepare(sql).all(...values) as Row[]);
  }

  /** The first row, or undefined. */
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.prepare(sql).get(...values) as Row | undefined);
  }

  /** Runs a statement; the number of rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#guard(() => Number(this.prepare(sql).run(...values).changes));
  }

  /**
   * Runs `work` in one transaction: all of it is durable when this returns, or nothing is.
   *
   * @throws AppError `unavailable` when the file can't be written (full disk, locked, I/O error)
   */
  transaction<T>(work: () => T): T {
    return this.#guard(() => {
      this.db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.db.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk makes SQLite roll back by itself: a second ROLLBACK would hide the reason.
        if (this.db.isTransaction) this.db.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** Throws when the file can't be read. */
  check(): void {
    this.get('SELECT 1');
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isEnvironmentFault(error)) throw new AppError('unavailable', 'The store is not available', { cause: error });
      throw error;
    }
  }
}

/**
 * Opens a store in WAL mode and brings it up to date.
 *
 * @throws StoreRefusedError when it belongs to another network or to newer code
 */
export function openSqliteStore({ url, migrations, durability, ...identity }: SqliteStoreOptions): SqliteStore {
  const path = url.replace(/^sqlite:/, '');
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = ON;`);
    claimStore(db, path, identity, migrations);
  } catch (error) {
    db.close();
    throw error;
  }
  return new SqliteStore(db);
}

/** SQLite's primary result codes for what the world does to a file: busy, locked, no memory, read-only, I/O, corrupt, full, can't open. */
const environmentFaults = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

function isEnvironmentFault(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'errcode' in error &&
    environmentFaults.has(Number(error.errcode) & 0xff)
  );
}
