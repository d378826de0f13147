import { join } from 'node:path';
import { operations } from '@lobbystats/contracts';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { announced, startingAt } from './events.ts';
import { NOW } from './running-catalog.ts';
import { runEvents, type RunningEvents } from './running-events.ts';

const FEED = operations.getEventsCalendar.path;

let catalog: RunningEvents;
beforeEach(async () => {
  catalog = await runEvents({ PUBLIC_URL: 'https://stats.example:8443/' });
});
afterEach(() => catalog.stop());

/** The unfolded content lines of the feed (RFC 5545 section 3.1). */
async function lines(path = FEED): Promise<string[]> {
  const { body } = await catalog.get<string>(path);
  expect(body.endsWith('\r\n')).toBe(true);
  const folded = body.slice(0, -2).split('\r\n');
  for (const line of folded) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    // A content line may contain no control characters but tabs.
    expect(line.replaceAll('\t', '')).not.toMatch(/\p{Cc}/u);
  }
  return body.slice(0, -2).replaceAll('\r\n ', '').split('\r\n');
}

/** The properties of each event. */
async function entries(path = FEED): Promise<Record<string, string>[]> {
  const text = (await lines(path)).join('\n');
  return text
    .split('BEGIN:VEVENT\n')
    .slice(1)
    .map((entry) =>
      Object.fromEntries(
        (entry.replace(/\nBEGIN:VALARM.*?\nEND:VALARM/s, '').split('\nEND:VEVENT')[0] ?? '')
          .split('\n')
          .map((line) => [line.slice(0, line.search(/[:;]/)), line.slice(line.indexOf(':') + 1)]),
      ),
    );
}

describe('calendar feed', () => {
  it('returns an empty calendar before the first event', async () => {
    const { status, headers } = await catalog.get<string>(FEED);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    const all = await lines();
    expect(all.slice(0, 2)).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0']);
    expect(all.at(-1)).toBe('END:VCALENDAR');
    expect(all.filter((line) => line.startsWith('PRODID:'))).toHaveLength(1);
    expect(await entries()).toEqual([]);
  });

  it('has the followed events and those of followed games, with the UIDs of the feed of all', async () => {
    const games = { 7: '4d530064', 8: '4d530065', 9: null, 10: null };
    await catalog.announce(Object.entries(games).map(([id, title_id]) => announced({ id: Number(id), title_id })));
    const followed = operations.getFollowedEventsCalendar.path;
    const uids = async (query: string) => (await entries(followed + query)).map(({ UID }) => UID).toSorted();
    const uid = (id: number) => `event-${id}@stats.example:8443`;
    expect(await uids('?eventIds=9,11&titleIds=4d530065')).toEqual([uid(8), uid(9)]);
    for (const query of ['?eventIds=&titleIds=', '']) expect(await uids(query)).toEqual([]);
    expect(await lines(followed)).toContain('X-WR-CALNAME:Lobbystats events: followed');
  });

  it('lists each event with UTC times and a stable UID', async () => {
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
    expect(first).toMatchObject({ URL: 'https://stats.example:8443/event/7', 'LAST-MODIFIED': '20270115T080000Z' });
    // Without an end it is shown for as long as it counts as running.
    expect(second).toMatchObject({
      UID: 'event-8@stats.example:8443',
      DTSTART: '20270115T080000Z',
      DTEND: '20270115T140000Z',
    });
    expect(Object.keys(second ?? {})).not.toEqual(expect.arrayContaining(['CATEGORIES']));
  });

  it('omits an end that is not after the start', async () => {
    await catalog.announce([announced({ start_time: '20:00', end_time: '20:00' })]);
    const [only] = await entries();
    expect(only).toMatchObject({ DTSTART: '20270115T190000Z' });
    expect(Object.keys(only ?? {})).not.toContain('DTEND');
  });

  it('escapes texts, folds long lines, and removes control characters', async () => {
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

  it('returns identical bytes until an event changes', async () => {
    const event = announced({ id: 7 });
    await catalog.announce([event], NOW - 10);
    const { body: before } = await catalog.get<string>(FEED);
    catalog.clock.nowMs += 3_600_000;
    await catalog.announce([event], NOW);
    expect((await catalog.get<string>(FEED)).body).toBe(before);
    await catalog.announce([{ ...event, title: 'After' }], NOW + 1);
    expect((await entries())[0]).toMatchObject({ SUMMARY: 'After', DTSTAMP: '20270115T080001Z' });
  });

  it('names itself and its refresh interval, for subscriptions', async () => {
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'METHOD:PUBLISH',
        'NAME:Lobbystats events',
        'X-WR-CALNAME:Lobbystats events',
        'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
        'X-PUBLISHED-TTL:PT1H',
      ]),
    );
  });

  it('lists 500 current events without a limit', async () => {
    await catalog.announce(Array.from({ length: 500 }, (_, id) => announced({ id })));
    expect(await entries()).toHaveLength(500);
  });
});

describe('revisions of an event in a calendar', () => {
  const revision = async (id: number) => {
    const found = (await entries()).find(({ UID }) => UID === `event-${id}@stats.example:8443`);
    return { sequence: Number(found?.['SEQUENCE']), modified: found?.['LAST-MODIFIED'], start: found?.['DTSTART'] };
  };

  it('grow with each move of that event alone', async () => {
    const [moved, other] = [announced({ id: 7 }), announced({ id: 8 })];
    await catalog.announce([moved, other], NOW);
    const [first, otherFirst] = [await revision(7), await revision(8)];
    await catalog.announce([{ ...moved, start_time: '21:15' }, other], NOW + 60);
    const second = await revision(7);
    await catalog.announce([{ ...moved, start_time: '20:30' }, other], NOW + 120);
    const third = await revision(7);
    expect([second.sequence > first.sequence, third.sequence > second.sequence]).toEqual([true, true]);
    expect([first, second, third].map(({ modified }) => modified)).toEqual([
      '20270115T080000Z',
      '20270115T080100Z',
      '20270115T080200Z',
    ]);
    expect([second.start, third.start]).toEqual(['20270115T201500Z', '20270115T193000Z']);
    expect(await revision(8)).toEqual(otherFirst);
  });

  it('do not grow for what calendars do not show', async () => {
    await catalog.announce([announced({ id: 7 })], NOW);
    const { body: before } = await catalog.get<string>(FEED);
    await catalog.announce([announced({ id: 7, signup_count: 99 })], NOW + 60);
    expect((await catalog.get<string>(FEED)).body).toBe(before);
    const { headers } = await catalog.get(operations.getEvent.path.replace(':eventId', '7'));
    expect(headers.get('last-modified')).toBe('Fri, 15 Jan 2027 08:01:00 GMT');
  });

  it('grow over a withdrawal, and over a later archive', async () => {
    const event = announced({ id: 7 });
    await catalog.announce([event], NOW);
    const before = await revision(7);
    await catalog.announce([], NOW + 60);
    await catalog.announce([{ ...event, start_time: '21:15' }], NOW + 120);
    expect((await revision(7)).sequence).toBeGreaterThan(before.sequence);
  });

  it('survive a restart', async () => {
    const url = `sqlite:${join(temporaryDirectory(), 'catalog.sqlite')}`;
    const env = { PUBLIC_URL: 'https://stats.example:8443/', DATABASE_URL: url };
    const first = await runEvents(env);
    await first.announce([announced({ id: 7 })], NOW);
    await first.announce([announced({ id: 7, start_time: '21:15' })], NOW + 60);
    const { body } = await first.get<string>(FEED);
    await first.stop();
    const second = await runEvents(env);
    expect((await second.get<string>(FEED)).body).toBe(body);
    expect(body).toContain('LAST-MODIFIED:20270115T080100Z');
    await second.stop();
  });
});

describe('calendar feed of a game', () => {
  const TITLE = '4d530064';
  const BY_TITLE = operations.getTitleEventsCalendar.path.replace(':titleId', TITLE);

  it('lists the events of that game alone, with the UIDs of the other feed', async () => {
    await catalog.announce([
      announced({ id: 7, title_id: TITLE }),
      announced({ id: 8, title_id: '0000000a' }),
      announced({ id: 9, title_id: null }),
    ]);
    for (const path of [BY_TITLE, `${FEED}?titleId=${TITLE.toUpperCase()}`]) {
      expect((await entries(path)).map(({ UID }) => UID)).toEqual(['event-7@stats.example:8443']);
    }
    expect(await entries(`${FEED}?titleId=`)).toHaveLength(3);
  });

  it('is named after the game, without letting the name add lines', async () => {
    await catalog.observeHome({ [TITLE]: { name: 'Pier, 2; "a\\b"\r\nX-A: b' } });
    for (const path of [BY_TITLE, `${FEED}?titleId=${TITLE}`]) {
      expect(await lines(path)).toContain('NAME:Lobbystats events: Pier\\, 2\\; "a\\\\b"\\nX-A: b');
      expect(await entries(path)).toEqual([]);
    }
  });

  it('is 404 for a title that is unknown', async () => {
    for (const path of [BY_TITLE, `${FEED}?titleId=${TITLE}`, `${FEED}?titleId=x`]) {
      expect((await catalog.get(path)).status).toBe(404);
    }
  });
});

describe('calendar file of an event', () => {
  const fileOf = (id: number | string) => operations.getEventCalendar.path.replace(':eventId', String(id));

  it('has that event alone, as the feeds have it', async () => {
    await catalog.announce([announced({ id: 7 }), announced({ id: 8, title: 'Other' })]);
    const { headers } = await catalog.get<string>(fileOf(7));
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const inFeed = (await entries()).filter(({ UID }) => UID === 'event-7@stats.example:8443');
    const [only] = await entries(fileOf(7));
    expect(only).toMatchObject({ ...inFeed[0] });
    expect(inFeed).toHaveLength(1);
  });

  it('has an alarm, which feeds have not', async () => {
    await catalog.announce([announced({ id: 7 })]);
    expect(await lines(fileOf(7))).toEqual(
      expect.arrayContaining(['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', 'END:VALARM']),
    );
    expect(await lines()).not.toContain('BEGIN:VALARM');
  });

  it.each([
    ['Harbor Night', 'harbor-night.ics'],
    ['Été à l’Île: 2!', 'ete-a-l-ile-2.ics'],
    ['"; x=\r\n../a', 'x-a.ics'],
    ['🏁', 'event-7.ics'],
    ['x'.repeat(200), `${'x'.repeat(60)}.ics`],
  ])('of %j is named %s', async (title, name) => {
    await catalog.announce([announced({ id: 7, title })]);
    const { headers } = await catalog.get<string>(fileOf(7));
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  });

  it('does not ask to be read again, and names no calendar', async () => {
    await catalog.announce([announced({ id: 7 })]);
    const properties = (await lines(fileOf(7))).map((line) => line.slice(0, line.search(/[:;]/)));
    expect(properties).not.toEqual(expect.arrayContaining(['REFRESH-INTERVAL']));
    expect(properties).not.toEqual(expect.arrayContaining(['X-WR-CALNAME']));
  });

  it('stays readable when no list shows the event any more', async () => {
    await catalog.announce([announced({ id: 7 })]);
    const before = await entries(fileOf(7));
    catalog.clock.nowMs += 40 * 86_400_000;
    expect(await entries()).toEqual([]);
    expect(await entries(fileOf(7))).toEqual(before);
  });

  it.each([6, '2147483648', '__proto__', 'x'])('is 404 for an event that is unknown: %s', async (id) => {
    await catalog.announce([announced({ id: 7 })]);
    const { status, body } = await catalog.get(fileOf(id));
    expect([status, body]).toEqual([404, { error: 'Unknown event' }]);
  });
});
