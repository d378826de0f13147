import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { AppError } from '@lobbystats/errors';
import { isEnvironmentFault } from './environment-fault.ts';
import { preparePrivateFile } from './private-files.ts';
import { claimStore, type StoreIdentity } from './store-identity.ts';
import { refusalOf } from './store-refused-error.ts';

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
  /** Whether deleted content is overwritten in the file: for stores of what people wrote. Default: false. */
  secureDelete?: boolean;
  /** How long to wait for another process that writes to the file, in milliseconds. Default: {@link LOCKED_FOR_MS}. */
  lockedForMs?: number;
}

/**
 * The event loop stands still while SQLite waits, and with it every request: callers had better hear `unavailable`. Other
 * processes (a backup, an operator's shell) seldom hold the lock, and a commit takes milliseconds.
 */
const LOCKED_FOR_MS = 250;
/** The value of the pragma `synchronous`. */
const FULL = 2;

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

  /**
   * The same for what may be lost with the power, though not with the process: whoever does it again does no harm. It waits for
   * no disk.
   */
  lossyTransaction<T>(work: () => T): T {
    const { synchronous } = this.get<{ synchronous: number }>('PRAGMA synchronous') ?? { synchronous: FULL };
    this.db.exec('PRAGMA synchronous = NORMAL');
    try {
      return this.transaction(work);
    } finally {
      this.db.exec(`PRAGMA synchronous = ${synchronous}`);
    }
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
 * Opens a store in WAL mode and brings it up to date. Its files are for their owner alone.
 *
 * @throws StoreRefusedError when it belongs to another network or to newer code, or the file can't be used (no database,
 *   not to be opened or written, full disk, I/O error, locked)
 */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const path = options.url.replace(/^sqlite:/, '');
  try {
    return openFile(path, options);
  } catch (error) {
    throw refusalOf(path, error);
  }
}

function openFile(path: string, options: SqliteStoreOptions): SqliteStore {
  const { migrations, durability, secureDelete = false, name, origin, lockedForMs = LOCKED_FOR_MS } = options;
  if (path !== ':memory:') preparePrivateFile(path);
  const db = new DatabaseSync(path, { timeout: lockedForMs });
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = ON;`);
    if (secureDelete) db.exec('PRAGMA secure_delete = ON');
    claimStore(db, path, { name, origin }, migrations);
  } catch (error) {
    db.close();
    throw error;
  }
  return new SqliteStore(db);
}
