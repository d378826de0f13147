import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession, Collection, Db, Document, MongoClient } from 'mongodb';
import { AppError } from '@lobbystats/errors';
import { closeClient, connect, MAJORITY, WAIT_FOR_SERVER_MS } from './connect.ts';
import { isAway, openingFault, storeFault } from './mongo-fault.ts';
import type { MongoSchema } from './mongo-schema.ts';
import { checkIndexes } from './schema-check.ts';
import { claimStore } from './store-identity.ts';

export interface MongoStoreOptions {
  url: string;
  schema: MongoSchema;
  origin: string;
  waitMs?: number;
}

/** In milliseconds, retries included. */
const OPERATION_MS = 2000;
/** For requests that somebody waits for. */
export const QUICK_MS = 700;
const SILENT_MS = 300;
/**
 * For all attempts of a transaction. The server aborts an attempt after 5 s and an orphaned one within 7.5 s, which
 * leaves time for a retry.
 */
const TRANSACTION_MS = 10_000;
const BEGIN_AGAIN_MS = 100;

/** One service's database, with majority reads and writes. */
export class MongoStore {
  readonly #client: MongoClient;
  readonly #db: Db;
  /** Set by a timeout, cleared by the next answer. */
  #isSilent = false;

  constructor(client: MongoClient) {
    this.#client = client;
    this.#db = client.db();
  }

  collection<Row extends Document>(name: string): Collection<Row> {
    return this.#db.collection<Row>(name);
  }

  /**
   * Runs an operation outside transactions. Retried writes count once. After `unavailable`, a write may have happened.
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
    // A late answer clears the silent state too.
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
   * Runs `work` in a transaction, with retries after conflicts and elections. The server aborts an attempt after 5 s.
   * Between long operations `work` asks `stillWanted`. After `unavailable`, the commit may have happened.
   *
   * @param work every operation in it takes the session. Between long ones it asks `stillWanted`, which throws when nobody waits
   * any more: the server goes on with an operation that was given up, and what it has changed is locked until then
   * @throws AppError `unavailable` within 10 s when it can't be had or written; all of it may be there then, or nothing
   */
  async transaction<T>(work: (session: ClientSession, stillWanted: () => void) => Promise<T>): Promise<T> {
    const endMs = performance.now() + TRANSACTION_MS;
    const stillWanted = () => {
      if (performance.now() >= endMs) throw new AppError('unavailable', 'The store does not answer in time');
    };
    // A commit with an unknown outcome must be retried, not recomputed; the driver labels only some of these.
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
   * Snapshot read at majority concern; unlike a transaction it waits for no commit.
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
