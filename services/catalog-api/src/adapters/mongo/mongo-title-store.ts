import type { GameMetadata } from '@lobbystats/contracts';
import { openMongoStore, QUICK_MS, type MongoStore } from '@lobbystats/mongo-store';
import type { TitleRecord } from '../../domain/title-record.ts';
import type { TitleCommit, TitleFact, TitleStore } from '../../domain/title-store.ts';
import { catalogSchema } from './catalog-schema.ts';

/**
 * Opens the titles in a MongoDB database that the init job has prepared. Any number of processes may share it.
 *
 * @param url `mongodb://user:password@host:port/database?…`
 * @param origin the network whose titles they are
 * @param waitMs how long to wait for a server that is away; default: 30 s
 * @throws RefusalError when the database isn't prepared, or is another network's or newer code's
 * @throws AppError `unavailable` when it can't be had within the wait
 */
export async function openMongoTitleStore(url: string, origin: string, waitMs?: number): Promise<TitleStore> {
  const store = await openMongoStore({ url, origin, schema: catalogSchema, ...(waitMs !== undefined && { waitMs }) });
  const titles = new MongoTitleStore(store);
  try {
    await titles.begin();
    return titles;
  } catch (error) {
    await store.close();
    throw error;
  }
}

class MongoTitleStore implements TitleStore {
  readonly #store: MongoStore;
  readonly #catalog;
  readonly #titles;
  readonly #outbox;

  constructor(store: MongoStore) {
    this.#store = store;
    this.#catalog = store.collection<CatalogRow>('catalog');
    this.#titles = store.collection<TitleRow>('title');
    this.#outbox = store.collection<OutboxRow>('outbox');
  }

  /** Writes the revision before the first commit, so that every commit moves one that is there. */
  async begin(): Promise<void> {
    await this.#store.run(() =>
      this.#catalog.updateOne({ _id: 'titles' }, { $setOnInsert: { revision: 0 } }, { upsert: true }),
    );
  }

  async revision(): Promise<number> {
    const row = await this.#store.run(() => this.#catalog.findOne({ _id: 'titles' }), QUICK_MS);
    return row?.revision ?? 0;
  }

  async read(): Promise<{ revision: number; records: TitleRecord[] }> {
    return this.#store.transaction(async (session) => {
      const row = await this.#catalog.findOne({ _id: 'titles' }, { session });
      const titles = await this.#titles.find({}, { session }).toArray();
      return { revision: row?.revision ?? 0, records: titles.map(fromRow) };
    });
  }

  async commit({ expectedRevision, revision, records, facts }: TitleCommit): Promise<boolean> {
    return this.#store.transaction(async (session, stillWanted) => {
      const from = { _id: 'titles' as const, revision: expectedRevision };
      const { matchedCount } = await this.#catalog.updateOne(from, { $set: { revision } }, { session });
      if (matchedCount === 0) return false;
      for (let first = 0; first < records.length; first += RECORDS_AT_ONCE) {
        stillWanted();
        await this.#titles.bulkWrite(records.slice(first, first + RECORDS_AT_ONCE).map(replacing), { session });
      }
      if (facts.length > 0) await this.#outbox.insertMany(facts.map(toOutbox), { session });
      return true;
    });
  }

  async pendingFacts(limit: number): Promise<TitleFact[]> {
    const rows = await this.#store.run(() => this.#outbox.find().sort({ _id: 1 }).limit(limit).toArray());
    return rows.map(({ _id, occurredAt, past, titles }) => ({ revision: _id, occurredAt, past, titles }));
  }

  async removeFact(revision: number): Promise<void> {
    await this.#store.run(() => this.#outbox.deleteOne({ _id: revision }));
  }

  async backlog(): Promise<number> {
    return this.#store.run(() => this.#outbox.countDocuments());
  }

  async check(): Promise<void> {
    await this.#store.check();
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}

/** A commit that was given up holds up the others until what it has sent is done: so it sends little at once. */
const RECORDS_AT_ONCE = 500;

/** The revision that all titles are at. */
interface CatalogRow {
  _id: 'titles';
  revision: number;
}

type TitleRow = Omit<TitleRecord, 'titleId'> & { _id: string };

interface OutboxRow {
  _id: number;
  occurredAt: number;
  past: boolean;
  titles: GameMetadata[];
}

function replacing({ titleId, home, page, changedAt }: TitleRecord) {
  return { replaceOne: { filter: { _id: titleId }, replacement: { home, page, changedAt }, upsert: true } };
}

function fromRow({ _id, home, page, changedAt }: TitleRow): TitleRecord {
  return { titleId: _id, home, page, changedAt };
}

function toOutbox({ revision, occurredAt, past, titles }: TitleFact): OutboxRow {
  return { _id: revision, occurredAt, past, titles: [...titles] };
}
