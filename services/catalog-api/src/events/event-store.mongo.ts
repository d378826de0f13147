import { REQUEST_TIMEOUT_MS, type MongoStore } from '@lobbystats/mongo-store';
import type { EventCommit, EventList, EventStore, StoredEvent } from './event-store.ts';
import type { MongoOutbox } from '@lobbystats/mongo-store';

export class MongoEventStore implements EventStore {
  readonly #store: MongoStore;
  readonly #outbox: MongoOutbox;
  readonly #catalog;
  readonly #events;

  constructor(store: MongoStore, outbox: MongoOutbox) {
    this.#store = store;
    this.#outbox = outbox;
    this.#catalog = store.collection<ListRow>('catalog');
    this.#events = store.collection<EventRow>('event');
  }

  /** Written before the first commit, so that every commit updates an existing row. */
  async init(): Promise<void> {
    await this.#store.run(() =>
      this.#catalog.updateOne({ _id: 'events' }, { $setOnInsert: EMPTY_LIST }, { upsert: true }),
    );
  }

  async eventRevision(): Promise<number> {
    const row = await this.#store.run(() => this.#catalog.findOne({ _id: 'events' }), REQUEST_TIMEOUT_MS);
    return row?.revision ?? 0;
  }

  async readEvents(): Promise<EventList> {
    return this.#store.transaction(async (session) => {
      const { revision, seenAt, changedAt } =
        (await this.#catalog.findOne({ _id: 'events' }, { session })) ?? EMPTY_LIST;
      const rows = await this.#events
        .find({ archived: { $exists: false } }, { session })
        .sort({ _id: 1 })
        .toArray();
      return { revision, seenAt, changedAt, events: rows.map(storedEvent) };
    });
  }

  async readEvent(id: number): Promise<StoredEvent | undefined> {
    const row = await this.#store.run(() => this.#events.findOne({ _id: id }), REQUEST_TIMEOUT_MS);
    return row === null ? undefined : storedEvent(row);
  }

  async commitEvents(commit: EventCommit): Promise<boolean> {
    const { expectedRevision, seenAt, changedAt, put, archived, removed, facts } = commit;
    const writes = [
      ...put.map((stored) => replaceOperation(stored)),
      ...archived.map((stored) => replaceOperation(stored, true)),
    ];
    return this.#store.transaction(async (session, checkDeadline) => {
      const from = { _id: 'events' as const, revision: expectedRevision };
      const to = { $set: { seenAt, changedAt }, $inc: { revision: 1 } };
      const { matchedCount } = await this.#catalog.updateOne(from, to, { session });
      if (matchedCount === 0) return false;
      for (let first = 0; first < writes.length; first += EVENTS_PER_WRITE) {
        checkDeadline();
        await this.#events.bulkWrite(writes.slice(first, first + EVENTS_PER_WRITE), { session });
      }
      if (removed.length > 0) await this.#events.deleteMany({ _id: { $in: [...removed] } }, { session });
      await this.#outbox.add(facts, session);
      return true;
    });
  }
}

const EVENTS_PER_WRITE = 500;

const EMPTY_LIST = { revision: 0, seenAt: 0, changedAt: 0 };

interface ListRow extends Omit<EventList, 'events'> {
  _id: 'events';
}

type EventRow = StoredEvent & { _id: number; archived?: true };

function storedEvent({ event, startsAt, endsAt }: EventRow): StoredEvent {
  return { event, startsAt, endsAt };
}

function replaceOperation({ event, startsAt, endsAt }: StoredEvent, isArchived = false) {
  const replacement = { startsAt, endsAt, event, ...(isArchived && { archived: true as const }) };
  return { replaceOne: { filter: { _id: event.id }, replacement, upsert: true } };
}
