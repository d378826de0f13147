import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession, Collection, Db, Document, MongoClient } from 'mongodb';
import { AppError } from '@lobbystats/contracts/errors';
import { closeClient, connect, MAJORITY, SERVER_TIMEOUT_MS } from './connect.ts';
import { isTransient, toOpenError, toStoreError } from './mongo-errors.ts';
import { checkIndexes, type MongoSchema } from './mongo-schema.ts';
import { startOplogTurnover } from './oplog-turnover.ts';
import { claimStore } from './store-identity.ts';
import { OPERATION_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './timeouts.ts';

export interface MongoStoreOptions {
  url: string;
  schema: MongoSchema;
  origin: string;
  waitMs?: number | undefined;
  /** Whether erased data leaves MongoDB's oplog after some days. One service of a server is enough. Default: false. */
  turnsOplogOver?: boolean;
}

const UNRESPONSIVE_TIMEOUT_MS = 300;
/**
 * For all attempts of a transaction. The server aborts an attempt after 5 s and an orphaned one within 7.5 s, which
 * leaves time for a retry.
 */
const TRANSACTION_TIMEOUT_MS = 10_000;
/** No operation takes longer (see above), so a silent primary doesn't delay what waits behind one for longer. */
const SOCKET_TIMEOUT_MS = 5000;
const RETRY_INTERVAL_MS = 100;

/** One service's database, with majority reads and writes. */
export class MongoStore {
  readonly #client: MongoClient;
  readonly #db: Db;
  /** Set by a timeout, cleared by the next response. */
  #isUnresponsive = false;
  readonly #stopTurnover: () => void;

  constructor(client: MongoClient, turnsOplogOver = false) {
    this.#client = client;
    this.#db = client.db();
    this.#stopTurnover = turnsOplogOver ? startOplogTurnover(this.#db) : () => undefined;
  }

  collection<Row extends Document>(name: string): Collection<Row> {
    return this.#db.collection<Row>(name);
  }

  /**
   * Runs an operation outside transactions. Limits up to `REQUEST_TIMEOUT_MS` shrink to 300 ms while the server is unresponsive.
   *
   * @throws AppError `unavailable` when MongoDB does not answer in time; a write may have happened
   */
  async run<T>(work: () => Promise<T>, withinMs = OPERATION_TIMEOUT_MS): Promise<T> {
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const isQuick = withinMs <= REQUEST_TIMEOUT_MS;
    const timer = setTimeout(
      () => {
        if (isQuick) this.#isUnresponsive = true;
        reject(new AppError('unavailable', 'The store does not answer in time'));
      },
      isQuick && this.#isUnresponsive ? UNRESPONSIVE_TIMEOUT_MS : withinMs,
    );
    // A late response clears the unresponsive state too.
    const responded = async (): Promise<T> => {
      const result = await work();
      this.#isUnresponsive = false;
      return result;
    };
    try {
      return await Promise.race([responded(), timedOut]);
    } catch (error) {
      throw toStoreError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Retries after conflicts and elections. `work` passes the session to every operation, and calls `checkDeadline`
   * between long ones: it throws after the time limit, since an abandoned operation keeps its locks.
   *
   * @throws AppError `unavailable` within 10 s; the commit may have happened
   */
  async transaction<T>(work: (session: ClientSession, checkDeadline: () => void) => Promise<T>): Promise<T> {
    const endMs = performance.now() + TRANSACTION_TIMEOUT_MS;
    const checkDeadline = () => {
      if (performance.now() >= endMs) throw new AppError('unavailable', 'The store does not answer in time');
    };
    // A commit with an unknown outcome must be retried, not recomputed; the driver labels only some of these.
    let isCommitting = false;
    const options = { readConcern: { level: 'snapshot' }, writeConcern: MAJORITY } as const;
    const attempt = () =>
      this.#client.withSession((session) =>
        session.withTransaction(async (inSession) => {
          checkDeadline();
          isCommitting = false;
          const result = await work(inSession, checkDeadline);
          isCommitting = true;
          return result;
        }, options),
      );
    return this.run(async () => {
      for (;;) {
        try {
          return await attempt();
        } catch (error) {
          checkDeadline();
          if (isCommitting || !isTransient(error)) throw error;
        }
        await sleep(RETRY_INTERVAL_MS);
      }
    }, TRANSACTION_TIMEOUT_MS);
  }

  /**
   * Snapshot read at majority concern; unlike a transaction it waits for no commit. `work` passes the session on.
   *
   * @throws AppError `unavailable` after `withinMs`
   */
  async snapshot<T>(work: (session: ClientSession) => Promise<T>, withinMs = REQUEST_TIMEOUT_MS): Promise<T> {
    return this.run(() => this.#client.withSession({ snapshot: true }, work), withinMs);
  }

  /** @throws AppError `unavailable` when the database can't be read */
  async check(): Promise<void> {
    await this.run(() => this.#db.command({ ping: 1 }), REQUEST_TIMEOUT_MS);
  }

  async close(): Promise<void> {
    this.#stopTurnover();
    await closeClient(this.#client);
  }
}

/**
 * @throws StartupError when the init job has not prepared it, it belongs to another network or a newer release, or the
 * login is refused
 * @throws AppError `unavailable` when no primary is found within `waitMs`
 */
export async function openMongoStore(options: MongoStoreOptions): Promise<MongoStore> {
  const { url, schema, origin, waitMs = SERVER_TIMEOUT_MS } = options;
  const { client, where, user } = await connect({ url, socketTimeoutMs: SOCKET_TIMEOUT_MS, waitMs });
  try {
    await claimStore(client.db(), where, schema, origin);
    await checkIndexes(client.db(), where, schema);
    return new MongoStore(client, options.turnsOplogOver);
  } catch (error) {
    await closeClient(client);
    throw toOpenError(error, where, user);
  }
}
