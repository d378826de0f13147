import {
  commitSteps,
  REQUEST_TIMEOUT_MS,
  writeSteps,
  type MongoOutbox,
  type MongoStore,
} from '@lobbystats/service-kit/mongo';
import type { EventList, EventStore, StoredEvent } from './event-store.ts';

export function mongoEventStore(store: MongoStore, outbox: MongoOutbox): EventStore {
  const catalog = store.collection<ListRow>('catalog');
  const events = store.collection<EventRow>('event');
  return {
    eventRevision: async () => {
      const row = await store.run(() => catalog.findOne({ _id: 'events' }), REQUEST_TIMEOUT_MS);
      return row?.revision ?? 0;
    },
    readEvents: () =>
      store.transaction(async (session) => {
        const list = await catalog.findOne({ _id: 'events' }, { session });
        const { revision, seenAt, changedAt } = list ?? { revision: 0, seenAt: 0, changedAt: 0 };
        const listed = events.find({ archived: { $exists: false } }, { session }).sort({ _id: 1 });
        return { revision, seenAt, changedAt, events: (await listed.toArray()).map(storedEvent) };
      }),
    readEvent: async (id) => {
      const row = await store.run(() => events.findOne({ _id: id }), REQUEST_TIMEOUT_MS);
      return row === null ? undefined : storedEvent(row);
    },
    commitEvents: ({ expectedRevision, seenAt, changedAt, put, archived, removed, facts }) => {
      const writes = [
        ...put.map((stored) => replaceOperation(stored)),
        ...archived.map((stored) => replaceOperation(stored, true)),
        ...(removed.length === 0 ? [] : [{ deleteMany: { filter: { _id: { $in: removed } } } }]),
      ];
      const from = { _id: 'events', revision: expectedRevision } as const;
      const to = { $set: { seenAt, changedAt }, $inc: { revision: 1 } };
      return commitSteps(store, { rows: catalog, from, to }, [
        ...writeSteps<EventRow>(store, 'event', writes),
        (session) => outbox.add(facts, session),
      ]);
    },
  };
}

interface ListRow extends Omit<EventList, 'events'> {
  _id: 'events';
}

type EventRow = StoredEvent & { _id: number; archived?: true };

function storedEvent({ event, startsAt, endsAt, changedAt, revisedAt }: EventRow): StoredEvent {
  return { event, startsAt, endsAt, changedAt, revisedAt };
}

function replaceOperation({ event, startsAt, endsAt, changedAt, revisedAt }: StoredEvent, isArchived = false) {
  const replacement = { startsAt, endsAt, changedAt, revisedAt, event, ...(isArchived && { archived: true as const }) };
  return { replaceOne: { filter: { _id: event.id }, replacement, upsert: true } };
}
