import { REQUEST_TIMEOUT_MS, type MongoStore } from '@lobbystats/mongo-store';
import type { TitleRecord } from './title-record.ts';
import type { TitleCommit, TitleStore } from './title-store.ts';
import type { MongoOutbox } from '@lobbystats/mongo-store';

export class MongoTitleStore implements TitleStore {
  readonly #store: MongoStore;
  readonly #outbox: MongoOutbox;
  readonly #catalog;
  readonly #titles;

  constructor(store: MongoStore, outbox: MongoOutbox) {
    this.#store = store;
    this.#outbox = outbox;
    this.#catalog = store.collection<CatalogRow>('catalog');
    this.#titles = store.collection<TitleRow>('title');
  }

  /** Written before the first commit, so that every commit updates an existing row. */
  async init(): Promise<void> {
    await this.#store.run(() =>
      this.#catalog.updateOne({ _id: 'titles' }, { $setOnInsert: { revision: 0 } }, { upsert: true }),
    );
  }

  async revision(): Promise<number> {
    const row = await this.#store.run(() => this.#catalog.findOne({ _id: 'titles' }), REQUEST_TIMEOUT_MS);
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
    return this.#store.transaction(async (session, checkDeadline) => {
      const from = { _id: 'titles' as const, revision: expectedRevision };
      const { matchedCount } = await this.#catalog.updateOne(from, { $set: { revision } }, { session });
      if (matchedCount === 0) return false;
      for (let first = 0; first < records.length; first += RECORDS_PER_WRITE) {
        checkDeadline();
        await this.#titles.bulkWrite(records.slice(first, first + RECORDS_PER_WRITE).map(replaceOperation), {
          session,
        });
      }
      await this.#outbox.add(facts, session);
      return true;
    });
  }
}

const RECORDS_PER_WRITE = 500;

interface CatalogRow {
  _id: 'titles';
  revision: number;
}

type TitleRow = Omit<TitleRecord, 'titleId'> & { _id: string };

function replaceOperation({ titleId, home, page, changedAt }: TitleRecord) {
  return { replaceOne: { filter: { _id: titleId }, replacement: { home, page, changedAt }, upsert: true } };
}

function fromRow({ _id, home, page, changedAt }: TitleRow): TitleRecord {
  return { titleId: _id, home, page, changedAt };
}
