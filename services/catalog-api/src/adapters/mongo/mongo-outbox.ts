import { titleStored, type GameMetadata } from '@lobbystats/contracts';
import type { MongoStore } from '@lobbystats/mongo-store';
import type { Fact, Outbox } from '../../domain/outbox.ts';

/** The facts that wait, in one order over all replicas. */
export class MongoOutbox implements Outbox {
  readonly #store: MongoStore;
  readonly #catalog;
  readonly #outbox;
  readonly #outboxBefore;

  constructor(store: MongoStore) {
    this.#store = store;
    this.#catalog = store.collection<PlaceRow>('catalog');
    this.#outbox = store.collection<OutboxRow>('outbox');
    this.#outboxBefore = store.collection<RowOfVersion1>('outbox');
  }

  /** Puts facts into the outbox, in their order: inside the transaction of what they tell of. */
  async add(facts: readonly Fact[], session: Session): Promise<void> {
    if (facts.length === 0) return;
    // Of two commits at once one waits here for the other, so that its facts have higher places.
    const last = await this.#catalog.findOneAndUpdate(
      { _id: 'outbox' },
      { $inc: { place: facts.length } },
      { session, upsert: true, returnDocument: 'after' },
    );
    const first = (last?.place ?? facts.length) - facts.length + 1;
    const rows = facts.map((fact, index): OutboxRow => ({ _id: first + index, ...fact }));
    await this.#outbox.insertMany(rows, { session });
  }

  /** Makes what schema version 1 has left messages: before there are others. */
  async begin(origin: string): Promise<void> {
    const left = { type: { $exists: false } };
    await this.#store.transaction(async (session) => {
      const rows = await this.#outboxBefore.find(left, { session }).sort({ _id: 1 }).toArray();
      if (rows.length === 0) return;
      await this.#outboxBefore.deleteMany(left, { session });
      const facts = rows.map((row) => titleFact(row, origin));
      await this.add(facts, session);
    });
  }

  async pending(limit: number) {
    const rows = await this.#store.run(() => this.#outbox.find().sort({ _id: 1 }).limit(limit).toArray());
    return rows.map(({ _id, ...fact }) => ({ place: _id, ...fact }));
  }

  async remove(places: readonly number[]): Promise<void> {
    await this.#store.run(() => this.#outbox.deleteMany({ _id: { $in: [...places] } }));
  }

  async backlog(): Promise<number> {
    return this.#store.run(() => this.#outbox.countDocuments());
  }
}

type Session = Parameters<Parameters<MongoStore['transaction']>[0]>[0];

/** The place that was given last. */
interface PlaceRow {
  _id: 'outbox';
  place: number;
}

type OutboxRow = Fact & { _id: number };

/** A fact as schema version 1 has it: of titles, with their revision for its key. */
interface RowOfVersion1 extends Pick<Fact, 'occurredAt' | 'past'> {
  _id: number;
  titles: GameMetadata[];
}

function titleFact({ _id: revision, occurredAt, past, titles }: RowOfVersion1, origin: string): Fact {
  const type = titleStored.key;
  return { type, id: `${type}:${origin}:${revision}`, occurredAt, past, data: { revision, titles } };
}
