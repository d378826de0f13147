import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession, Collection, Db, Document, MongoClient } from 'mongodb';
import { AppError } from '@lobbystats/errors';
import { closeClient, connect, MAJORITY, WAIT_FOR_SERVER_MS } from './connect.ts';
import { isAway, openingFault, storeFault } from './mongo-fault.ts';
import type { MongoSchema } from './mongo-schema.ts';
import { checkIndexes } from './schema-check.ts';
import { claimStore } from './store-identity.ts';

export interface MongoStoreOptions {
  /** `mongodb://user:password@host:port/database?…` */
  url: string;
  /** What the init job has made there. */
  schema: MongoSchema;
  /** The network that fills it. */
  origin: string;
  /** How long to wait for a server that is away, in milliseconds. Default: 30 s. */
  waitMs?: number;
}

/** How long one operation may take, its retries included, in milliseconds. */
const OPERATION_MS = 2000;
/** The same where somebody waits for an answer. */
export const QUICK_MS = 800;
/** The same once the server has left somebody without one: until it answers again. */
const SILENT_MS = 300;
/**
 * The same for all attempts of a transaction. The server aborts an attempt after 5 s (`transactionLifetimeLimitSeconds`), and one
 * that a killed process left open within 7.5 s: whoever needs its locks still has time to begin again.
 */
const TRANSACTION_MS = 10_000;
/** The wait before a transaction is begun again that found no primary. */
const BEGIN_AGAIN_MS = 100;

/** One database of one service. What any of its replicas was told is durable on a majority; what it reads is, too. */
export class MongoStore {
  readonly #client: MongoClient;
  readonly #db: Db;
  /** Whether nothing was answered since somebody waited in vain. */
  #isSilent = false;

  constructor(client: MongoClient) {
    this.#client = client;
    this.#db = client.db();
  }

  /** A collection of the schema. `Row` is the caller's word for its documents. */
  collection<Row extends Document>(name: string): Collection<Row> {
    return this.#db.collection<Row>(name);
  }

  /**
   * Runs what needs no transaction. A write whose acknowledgement got lost is sent again and counts once.
   *
   * @param withinMs how long it may take; with `QUICK_MS` less while the server is known to be silent
   * @throws AppError `unavailable`, by then, when MongoDB can't be had or written; what was to be written may be there
   */
  async run<T>(work: () => Promise<T>, withinMs = OPERATION_MS): Promise<T> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const isQuick = withinMs <= QUICK_MS;
    const timer = setTimeout(
      () => {
        if (isQuick) this.#isSilent = true;
        reject(new AppError('unavailable', 'The store does not answer in time'));
      },
      isQuick && this.#isSilent ? SILENT_MS : withinMs,
    );
    // Also an answer for which nobody waits any more is one.
    const answered = async (): Promise<T> => {
      const result = await work();
      this.#isSilent = false;
      return result;
    };
    try {
      return await Promise.race([answered(), tooLate]);
    } catch (error) {
      throw storeFault(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Runs `work` in one transaction, again from its beginning when another one was in its way or the primary has changed:
   * all of it is durable when this resolves, or nothing is. What it reads is of one instant. The server aborts an attempt that
   * takes longer than 5 s, with all locks that it holds.
   *
   * @param work every operation in it takes the session. Between long ones it asks `stillWanted`, which throws when nobody waits
   *   any more: the server goes on with an operation that was given up, and what it has changed is locked until then
   * @throws AppError `unavailable` within 10 s when it can't be had or written; all of it may be there then, or nothing
   */
  async transaction<T>(work: (session: ClientSession, stillWanted: () => void) => Promise<T>): Promise<T> {
    const endMs = performance.now() + TRANSACTION_MS;
    const stillWanted = () => {
      if (performance.now() >= endMs) throw new AppError('unavailable', 'The store does not answer in time');
    };
    // A commit whose outcome is unknown must not be worked out again. The driver's label says so only of some: not of one that
    // found no primary when it was sent again.
    let isCommitting = false;
    const options = { readConcern: { level: 'snapshot' }, writeConcern: MAJORITY } as const;
    const attempt = () =>
      this.#client.withSession((session) =>
        session.withTransaction(async (inSession) => {
          stillWanted();
          isCommitting = false;
          const result = await work(inSession, stillWanted);
          isCommitting = true;
          return result;
        }, options),
      );
    return this.run(async () => {
      for (;;) {
        try {
          return await attempt();
        } catch (error) {
          stillWanted();
          if (isCommitting || !isAway(error)) throw error;
        }
        await sleep(BEGIN_AGAIN_MS);
      }
    }, TRANSACTION_MS);
  }

  /**
   * Reads several things as of one instant, the newest that a majority has. Unlike a transaction it waits for no commit, its own
   * or another's: readers go on while many write.
   *
   * @param work every operation in it takes the session
   * @param withinMs how long it may take
   * @throws AppError `unavailable`, by then, when MongoDB can't be had
   */
  async snapshot<T>(work: (session: ClientSession) => Promise<T>, withinMs = QUICK_MS): Promise<T> {
    return this.run(() => this.#client.withSession({ snapshot: true }, work), withinMs);
  }

  /** @throws AppError `unavailable` when the database can't be read */
  async check(): Promise<void> {
    await this.run(() => this.#db.command({ ping: 1 }), QUICK_MS);
  }

  /** Ends what is under way, too. */
  async close(): Promise<void> {
    await closeClient(this.#client);
  }
}

/**
 * Opens a database that the init job has prepared.
 *
 * @throws RefusalError when it wasn't prepared, belongs to another network or to newer code, or doesn't let the user in
 * @throws AppError `unavailable` when it can't be had within the wait
 */
export async function openMongoStore(options: MongoStoreOptions): Promise<MongoStore> {
  const { url, schema, origin, waitMs = WAIT_FOR_SERVER_MS } = options;
  const { client, where, user } = await connect({ url, silentMs: TRANSACTION_MS, waitMs });
  try {
    await claimStore(client.db(), where, schema, origin);
    await checkIndexes(client.db(), where, schema);
    return new MongoStore(client);
  } catch (error) {
    await closeClient(client);
    throw openingFault(error, where, user);
  }
}
