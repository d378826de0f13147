import { eventsObserved, formatTimestamp, type AnnouncedEvent } from '@lobbystats/contracts';

const [example] = eventsObserved.example.events;

/** An announced event, by default from 2027-01-15 20:00 to 22:30 in Berlin. */
export function announced(fields: Partial<AnnouncedEvent> = {}): AnnouncedEvent {
  return { ...(example as AnnouncedEvent), event_date: '2027-01-15', ...fields };
}

/** An event in UTC that begins at an instant, without end. */
export function startingAt(seconds: number, fields: Partial<AnnouncedEvent> = {}): AnnouncedEvent {
  const text = formatTimestamp(seconds);
  return announced({
    event_date: text.slice(0, 10),
    start_time: text.slice(11, 16),
    end_time: null,
    event_timezone: 'UTC',
    ...fields,
  });
}
