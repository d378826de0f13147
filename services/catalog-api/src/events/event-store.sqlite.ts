import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { EventList, EventStore, StoredEvent } from './event-store.ts';
import { appendToOutbox } from '@lobbystats/sqlite-store';

export function sqliteEventStore(sqlite: SqliteStore): EventStore {
  const list = () =>
    sqlite.get<Omit<EventList, 'events'>>(
      'SELECT revision, seen_at AS seenAt, changed_at AS changedAt FROM event_list WHERE only = 1',
    ) ?? { revision: 0, seenAt: 0, changedAt: 0 };
  const write = ({ event, startsAt, endsAt }: StoredEvent, { isArchived }: { isArchived: boolean }) => {
    const sql = 'INSERT OR REPLACE INTO event (event_id, starts_at, ends_at, event, archived) VALUES (?, ?, ?, ?, ?)';
    sqlite.run(sql, event.id, startsAt, endsAt, JSON.stringify(event), isArchived ? 1 : 0);
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

const COLUMNS = 'event, starts_at AS startsAt, ends_at AS endsAt';

interface EventRow extends Omit<StoredEvent, 'event'> {
  event: string;
}

function storedEvent({ event, ...times }: EventRow): StoredEvent {
  return { ...times, event: JSON.parse(event) as StoredEvent['event'] };
}
