import { randomInt } from 'node:crypto';
import type { Fact, Outbox } from '@lobbystats/contracts';
import type { MongoStore } from './mongo-store.ts';

/** As many as there are to choose from: nobody ever meets two that are equal. */
const PLACES = 2 ** 48 - 1;

/** The facts that wait, in one order over all replicas. */
export class MongoOutbox implements Outbox {
  readonly #store: MongoStore;
  readonly #counters;
  readonly #outbox;

  /** @param counters the collection where the last place stands, with the id `outbox` */
  constructor(store: MongoStore, counters: string) {
    this.#store = store;
    this.#counters = store.collection<PlaceRow>(counters);
    this.#outbox = store.collection<OutboxRow>('outbox');
  }

  /** Puts facts into the outbox, in their order: inside the transaction of what they tell of. */
  async add(facts: readonly Fact[], session: Session): Promise<void> {
    if (facts.length === 0) return;
    // Of two commits at once one waits here for the other, so that its facts have higher places.
    const last = await this.#counters.findOneAndUpdate(
      { _id: 'outbox' },
      { $inc: { place: facts.length } },
      { session, upsert: true, returnDocument: 'after' },
    );
    const first = (last?.place ?? facts.length) - facts.length + 1;
    const rows = facts.map((fact, index): OutboxRow => ({ _id: first + index, ...fact }));
    await this.#outbox.insertMany(rows, { session });
  }

  /**
   * The same for facts whose order among others says nothing: nobody waits for anybody's place, so that what one person writes
   * doesn't fail while commit follows upon commit. They go out before those that have an order.
   */
  async addUnordered(facts: readonly Fact[], session: Session): Promise<void> {
    if (facts.length === 0) return;
    const rows = facts.map((fact): OutboxRow => ({ _id: -randomInt(1, PLACES), ...fact }));
    await this.#outbox.insertMany(rows, { session });
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
