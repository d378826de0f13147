import { operations } from '@lobbystats/contracts';
import { announced, startingAt } from './events.ts';
import { NOW } from './running-catalog.ts';
import { runEvents, type RunningEvents } from './running-events.ts';

const FEED = operations.getEventsCalendar.path;

let catalog: RunningEvents;
beforeEach(async () => {
  catalog = await runEvents({ PUBLIC_URL: 'https://stats.example:8443/' });
});
afterEach(() => catalog.stop());

/** The feed's content lines, unfolded, as RFC 5545 section 3.1 has them. */
async function lines(): Promise<string[]> {
  const { body } = await catalog.ask<string>(FEED);
  expect(body.endsWith('\r\n')).toBe(true);
  const folded = body.slice(0, -2).split('\r\n');
  for (const line of folded) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    // Of the control characters a content line has tabs alone.
    expect(line.replaceAll('\t', '')).not.toMatch(/\p{Cc}/u);
  }
  return body.slice(0, -2).replaceAll('\r\n ', '').split('\r\n');
}

/** The properties of each event. */
async function entries(): Promise<Record<string, string>[]> {
  const text = (await lines()).join('\n');
  return text
    .split('BEGIN:VEVENT\n')
    .slice(1)
    .map((entry) =>
      Object.fromEntries(
        (entry.split('\nEND:VEVENT')[0] ?? '')
          .split('\n')
          .map((line) => [line.slice(0, line.search(/[:;]/)), line.slice(line.indexOf(':') + 1)]),
      ),
    );
}

describe('the calendar feed', () => {
  it('is a calendar, before any event too', async () => {
    const { status, headers } = await catalog.ask<string>(FEED);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    const all = await lines();
    expect(all.slice(0, 2)).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0']);
    expect(all.at(-1)).toBe('END:VCALENDAR');
    expect(all.filter((line) => line.startsWith('PRODID:'))).toHaveLength(1);
    expect(await entries()).toEqual([]);
  });

  it('has each event with its times in UTC, under an id that stays', async () => {
    await catalog.announce([announced({ id: 7, end_time: '01:15' }), startingAt(NOW, { id: 8, game_name: '' })]);
    const [second, first] = await entries();
    expect(first).toMatchObject({
      UID: 'event-7@stats.example:8443',
      DTSTAMP: '20270115T080000Z',
      DTSTART: '20270115T190000Z',
      DTEND: '20270116T001500Z',
      SUMMARY: 'Harbor Night',
      DESCRIPTION: 'Eight laps of the old pier.',
      CATEGORIES: 'Harbor Racing',
    });
    expect(second).toMatchObject({ UID: 'event-8@stats.example:8443', DTSTART: '20270115T080000Z' });
    expect(Object.keys(second ?? {})).not.toEqual(expect.arrayContaining(['DTEND']));
    expect(Object.keys(second ?? {})).not.toEqual(expect.arrayContaining(['CATEGORIES']));
  });

  it('names no end that is not later than the start', async () => {
    await catalog.announce([announced({ start_time: '20:00', end_time: '20:00' })]);
    const [only] = await entries();
    expect(only).toMatchObject({ DTSTART: '20270115T190000Z' });
    expect(Object.keys(only ?? {})).not.toContain('DTEND');
  });

  it('escapes texts, folds long ones, and lets nothing in that could end them', async () => {
    await catalog.announce([
      announced({
        title: 'a;b,c\\d "e"\r\nEND:VEVENT\nX:\ry',
        description: `${'🏁ß'.repeat(200)}\0\x07\x85\t.`,
        game_name: 'A,B;C',
      }),
    ]);
    const [only, ...others] = await entries();
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      SUMMARY: 'a\\;b\\,c\\\\d "e"\\nEND:VEVENT\\nX:\\ny',
      DESCRIPTION: `${'🏁ß'.repeat(200)}\t.`,
      CATEGORIES: 'A\\,B\\;C',
    });
  });

  it('has the same bytes as long as the events are the same', async () => {
    const event = announced({ id: 7 });
    await catalog.announce([event], NOW - 10);
    const { body: before } = await catalog.ask<string>(FEED);
    catalog.clock.nowMs += 3_600_000;
    await catalog.announce([event], NOW);
    expect((await catalog.ask<string>(FEED)).body).toBe(before);
    await catalog.announce([{ ...event, title: 'After' }], NOW + 1);
    expect((await entries())[0]).toMatchObject({ SUMMARY: 'After', DTSTAMP: '20270115T080001Z' });
  });

  it('has all events that are shown, however many', async () => {
    await catalog.announce(Array.from({ length: 500 }, (_, id) => announced({ id })));
    expect(await entries()).toHaveLength(500);
  });
});
