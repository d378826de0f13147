import { appendToOutbox, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { EventList, EventStore, StoredEvent } from './event-store.ts';

export const eventTables = `
  CREATE TABLE event_list (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    revision INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO event_list VALUES (1, 0, 0, 0);

  -- event: as it was announced, JSON.
  CREATE TABLE event (
    event_id INTEGER PRIMARY KEY,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER,
    event TEXT NOT NULL,
    archived INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    revised_at INTEGER NOT NULL
  ) STRICT;
  -- Archived events are found by id alone.
  CREATE INDEX listed_event ON event (event_id) WHERE archived = 0;
`;

export function sqliteEventStore(sqlite: SqliteStore): EventStore {
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
    readEvents: async () =>
      sqlite.transaction(() => ({
        ...list(),
        events: sqlite
          .all<EventRow>(`SELECT ${COLUMNS} FROM event WHERE archived = 0 ORDER BY event_id`)
          .map(storedEvent),
      })),
    readEvent: async (id) => {
      const row = sqlite.get<EventRow>(`SELECT ${COLUMNS} FROM event WHERE event_id = ?`, id);
      return row === undefined ? undefined : storedEvent(row);
    },
    commitEvents: async ({ expectedRevision, seenAt, changedAt, put, archived, removed, facts }) =>
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

const COLUMNS = 'event, starts_at AS startsAt, ends_at AS endsAt, changed_at AS changedAt, revised_at AS revisedAt';

interface EventRow extends Omit<StoredEvent, 'event'> {
  event: string;
}

function storedEvent({ event, ...times }: EventRow): StoredEvent {
  return { ...times, event: JSON.parse(event) as StoredEvent['event'] };
}
