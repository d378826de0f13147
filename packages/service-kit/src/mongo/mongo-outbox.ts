import { randomInt } from 'node:crypto';
import type { Fact, Outbox } from '@lobbystats/contracts';
import type { MongoStore } from './mongo-store.ts';

/** Random key space; collisions are negligible. */
const KEY_SPACE = 2 ** 48 - 1;

export class MongoOutbox implements Outbox {
  readonly #store: MongoStore;
  readonly #counters;
  readonly #outbox;

  /** `counters`: the collection with the last position, under the id `outbox`. */
  constructor(store: MongoStore, counters: string) {
    this.#store = store;
    this.#counters = store.collection<CounterRow>(counters);
    this.#outbox = store.collection<OutboxRow>('outbox');
  }

  /** Adds facts in order, inside the transaction of their data. */
  async add(facts: readonly Fact[], session: Session): Promise<void> {
    if (facts.length === 0) return;
    // Serialises commits, so that later ones get higher positions.
    const last = await this.#counters.findOneAndUpdate(
      { _id: 'outbox' },
      { $inc: { place: facts.length } },
      { session, upsert: true, returnDocument: 'after' },
    );
    const first = (last?.place ?? facts.length) - facts.length + 1;
    const rows = facts.map((fact, index): OutboxRow => ({ _id: first + index, ...fact }));
    await this.#outbox.insertMany(rows, { session });
  }

  /** Adds facts without an order among others, which avoids conflicts on the counter. They are published first. */
  async addUnordered(facts: readonly Fact[], session: Session): Promise<void> {
    if (facts.length === 0) return;
    const rows = facts.map((fact): OutboxRow => ({ _id: -randomInt(1, KEY_SPACE), ...fact }));
    await this.#outbox.insertMany(rows, { session });
  }

  async pending(limit: number) {
    const rows = await this.#store.run(() => this.#outbox.find().sort({ _id: 1 }).limit(limit).toArray());
    return rows.map(({ _id, ...fact }) => ({ place: _id, ...fact }));
  }

  async remove(positions: readonly number[]): Promise<void> {
    await this.#store.run(() => this.#outbox.deleteMany({ _id: { $in: [...positions] } }));
  }

  async backlog(): Promise<number> {
    return this.#store.run(() => this.#outbox.countDocuments());
  }
}

type Session = Parameters<Parameters<MongoStore['transaction']>[0]>[0];

interface CounterRow {
  _id: 'outbox';
  place: number;
}

type OutboxRow = Fact & { _id: number };
