import type { AnnouncedEvent, EpochSeconds, Fact } from '@lobbystats/contracts';
import { commitSteps, REQUEST_TIMEOUT_MS, writeSteps } from '@lobbystats/service-kit/mongo-steps';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { appendToOutbox } from '@lobbystats/service-kit/sqlite-outbox';
import type { MongoCatalog } from '../database/open.mongo.ts';

/** Some thousand listed events, and any number of archived ones. They throw AppError `unavailable`. */
export type EventQueries = ReturnType<typeof eventsInSqlite>;

export interface TimedEvent {
  readonly event: AnnouncedEvent;
  readonly startsAt: EpochSeconds;
  readonly endsAt: EpochSeconds | null;
}

export interface StoredEvent extends TimedEvent {
  readonly changedAt: EpochSeconds;
  /** Last change of what calendars show. */
  readonly revisedAt: EpochSeconds;
}

export interface EventList {
  readonly revision: number;
  readonly seenAt: EpochSeconds;
  readonly changedAt: EpochSeconds;
  readonly events: readonly StoredEvent[];
}

export interface EventCommit {
  readonly expectedRevision: number;
  readonly seenAt: EpochSeconds;
  readonly changedAt: EpochSeconds;
  readonly put: readonly StoredEvent[];
  readonly archived: readonly StoredEvent[];
  readonly removed: readonly number[];
  readonly facts: readonly Fact[];
}

const COLUMNS = 'event, starts_at AS startsAt, ends_at AS endsAt, changed_at AS changedAt, revised_at AS revisedAt';

export function eventsInSqlite(sqlite: SqliteStore) {
  const list = () =>
    sqlite.get<Omit<EventList, 'events'>>(
      'SELECT revision, seen_at AS seenAt, changed_at AS changedAt FROM event_list WHERE only = 1',
    ) ?? { revision: 0, seenAt: 0, changedAt: 0 };
  const write = (
    { event, startsAt, endsAt, changedAt, revisedAt }: StoredEvent,
    { isArchived }: { isArchived: boolean },
  ) => {
    const columns = 'event_id, starts_at, ends_at, event, archived, changed_at, revised_at';
    const sql = `INSERT OR REPLACE INTO event (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`;
    sqlite.run(sql, event.id, startsAt, endsAt, JSON.stringify(event), isArchived ? 1 : 0, changedAt, revisedAt);
  };
  return {
    eventRevision: async () => list().revision,
    readEvents: async (): Promise<EventList> =>
      sqlite.transaction(() => ({
        ...list(),
        events: sqlite.all<EventRow>(`SELECT ${COLUMNS} FROM event WHERE archived = 0 ORDER BY event_id`).map(fromRow),
      })),
    /** Includes archived events. */
    readEvent: async (id: number): Promise<StoredEvent | undefined> => {
      const row = sqlite.get<EventRow>(`SELECT ${COLUMNS} FROM event WHERE event_id = ?`, id);
      return row === undefined ? undefined : fromRow(row);
    },
    /** False when the revision isn't the expected one. */
    commitEvents: async ({ expectedRevision, seenAt, changedAt, put, archived, removed, facts }: EventCommit) =>
      sqlite.transaction(() => {
        const move = 'UPDATE event_list SET revision = revision + 1, seen_at = ?, changed_at = ? WHERE revision = ?';
        if (sqlite.run(move, seenAt, changedAt, expectedRevision) === 0) return false;
        for (const stored of put) write(stored, { isArchived: false });
        for (const stored of archived) write(stored, { isArchived: true });
        for (const id of removed) sqlite.run('DELETE FROM event WHERE event_id = ?', id);
        appendToOutbox(sqlite, facts);
        return true;
      }),
  };
}

interface EventRow extends Omit<StoredEvent, 'event'> {
  event: string;
}

function fromRow({ event, ...times }: EventRow): StoredEvent {
  return { ...times, event: JSON.parse(event) as StoredEvent['event'] };
}

interface ListDocument extends Omit<EventList, 'events'> {
  _id: 'events';
}

type EventDocument = StoredEvent & { _id: number; archived?: true };

export function eventsInMongo({ store, outbox }: MongoCatalog) {
  const catalog = store.collection<ListDocument>('catalog');
  const events = store.collection<EventDocument>('event');
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
        return { revision, seenAt, changedAt, events: (await listed.toArray()).map(fromDocument) };
      }),
    readEvent: async (id) => {
      const row = await store.run(() => events.findOne({ _id: id }), REQUEST_TIMEOUT_MS);
      return row === null ? undefined : fromDocument(row);
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
        ...writeSteps<EventDocument>(store, 'event', writes),
        (session) => outbox.add(facts, session),
      ]);
    },
  } satisfies EventQueries;
}

function fromDocument({ event, startsAt, endsAt, changedAt, revisedAt }: EventDocument): StoredEvent {
  return { event, startsAt, endsAt, changedAt, revisedAt };
}

function replaceOperation({ event, startsAt, endsAt, changedAt, revisedAt }: StoredEvent, isArchived = false) {
  const replacement = { startsAt, endsAt, changedAt, revisedAt, event, ...(isArchived && { archived: true as const }) };
  return { replaceOne: { filter: { _id: event.id }, replacement, upsert: true } };
}
