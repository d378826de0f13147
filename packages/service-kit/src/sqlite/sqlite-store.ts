import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { AppError } from '@lobbystats/contracts/errors';
import { FullDisk } from '../health/full-disk.ts';
import { isDiskFull, isEnvironmentFault, toStoreRefusedError } from './store-errors.ts';
import { preparePrivateFile } from './private-files.ts';
import { claimStore, type StoreIdentity } from './store-identity.ts';

export interface SqliteStoreOptions extends StoreIdentity {
  url: string;
  /** Never change a released migration. */
  migrations: readonly string[];
  /** `full` for content of users; `normal` for data that can be read again. They differ only in a power failure. */
  durability: 'full' | 'normal';
  secureDelete?: boolean;
  /** For commits of many rows at random places. */
  manyWrites?: boolean;
  lockTimeoutMs?: number | undefined;
}

/** SQLite's wait blocks the event loop: fail early with `unavailable`. */
const LOCK_TIMEOUT_MS = 250;
const FULL = 2;

/** A read that touches a page of each title exceeds the cache, and copies each page from the kernel; mmap copies none. */
const FOR_READS = 'PRAGMA mmap_size = 1073741824';
/**
 * Rare checkpoints write each page once for several commits, instead of hundreds of times. The cache, in KiB, holds the
 * changed pages of a commit.
 */
const FOR_MANY_WRITES = `
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;`;

/** One SQLite file with one writer. */
export class SqliteStore {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #disk = new FullDisk();

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#guard(() => this.prepare(sql).all(...values) as Row[]);
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.prepare(sql).get(...values) as Row | undefined);
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#guard(() => Number(this.prepare(sql).run(...values).changes));
  }

  /**
   * Atomic and durable.
   *
   * @throws AppError `unavailable` when the file can't be written (full disk, locked, I/O error)
   */
  transaction<T>(work: () => T): T {
    return this.#guard(() => {
      this.db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.db.exec('COMMIT');
        this.#disk.written();
        return result;
      } catch (error) {
        // A full disk rolls back by itself; a second ROLLBACK would hide the reason.
        if (this.db.isTransaction) this.db.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** Atomic, but a power failure may lose it. */
  nonDurableTransaction<T>(work: () => T): T {
    const { synchronous } = this.get<{ synchronous: number }>('PRAGMA synchronous') ?? { synchronous: FULL };
    this.db.exec('PRAGMA synchronous = NORMAL');
    try {
      return this.transaction(work);
    } finally {
      this.db.exec(`PRAGMA synchronous = ${synchronous}`);
    }
  }

  /** @throws AppError `unavailable` also if a write has failed for a full disk in the last minute: reads go on then */
  check(): void {
    this.get('SELECT 1');
    this.#disk.check();
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isEnvironmentFault(error)) throw error;
      if (isDiskFull(error)) throw this.#disk.failed(error);
      throw new AppError('unavailable', 'The store is not available', { cause: error });
    }
  }
}

/**
 * Opens a private file in WAL mode and migrates it.
 *
 * @throws StoreRefusedError when it belongs to another network or a newer release, or is unusable (not a database, no
 * permission, full disk, I/O error, locked)
 */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const path = options.url.replace(/^sqlite:/, '');
  try {
    return openFile(path, options);
  } catch (error) {
    throw toStoreRefusedError(path, error);
  }
}

function openFile(path: string, options: SqliteStoreOptions): SqliteStore {
  const { migrations, durability, secureDelete = false, name, origin, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  if (path !== ':memory:') preparePrivateFile(path);
  const db = new DatabaseSync(path, { timeout: lockTimeoutMs });
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = ON;`);
    if (secureDelete) db.exec('PRAGMA secure_delete = ON');
    claimStore(db, path, { name, origin }, migrations);
    db.exec(FOR_READS);
    if (options.manyWrites === true) db.exec(FOR_MANY_WRITES);
  } catch (error) {
    db.close();
    throw error;
  }
  return new SqliteStore(db);
}
