import { operations } from '@lobbystats/contracts';
import { HARBOR, NEWEST, RALLY } from './network.ts';
import { readPage } from './page-text.ts';
import { eventAt, runWithEvents } from './running-events.ts';
import { runGateway, UNREACHABLE_URL } from './running-gateway.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

const RUNNING = eventAt(NEWEST - HOUR, NEWEST + HOUR, { id: 1, title: 'Running one', title_id: HARBOR.titleId });
const OPEN_END = eventAt(NEWEST - 5 * HOUR, null, { id: 2, title: 'Open end', title_id: null, game_name: 'Draughts' });
const SOON = eventAt(NEWEST + HOUR, NEWEST + 2 * HOUR, { id: 3, title: 'Soon', title_id: RALLY.titleId });
const LATER = eventAt(NEWEST + DAY, null, { id: 4, title: 'Later', title_id: HARBOR.titleId });
const OVER = eventAt(NEWEST - 7 * HOUR, null, { id: 5, title: 'Over', title_id: HARBOR.titleId });
const LONG_OVER = eventAt(NEWEST - 9 * DAY, NEWEST - 8 * DAY, { id: 6, title: 'Long over', title_id: null });
const ALL = [RUNNING, OPEN_END, SOON, LATER, OVER, LONG_OVER];

describe('events page', () => {
  it('lists running, upcoming and past events, the next to begin and the last to end first', async () => {
    const page = await readPage(await runWithEvents(ALL), '/events');
    expect(page.status).toBe(200);
    expect(page.texts('h1')).toEqual(['Events']);
    expect(page.texts('#running h3 a')).toEqual(['Open end', 'Running one']);
    expect(page.texts('#upcoming h3 a')).toEqual(['Soon', 'Later']);
    expect(page.texts('#past h3 a')).toEqual(['Over', 'Long over']);
    expect(page.texts('.choices a')).toEqual(['All', 'Running (2)', 'Upcoming (2)', 'Past (2)']);
  });

  it('has the fields of an event, its time in UTC, and what a countdown needs', async () => {
    const paid = eventAt(NEWEST + HOUR, NEWEST + 2 * HOUR, {
      ...{
        item_kind: 'tournament',
        title_id: HARBOR.titleId,
        signup_count: 1_234,
        registration_closes_at: SOON.starts_at,
      },
      ...{ is_paid_event: true, entry_fee_sats: 2_100, has_prize: true, prize_amount: '30,000' },
    });
    const page = await readPage(await runWithEvents([paid]), '/events');
    expect(page.text('#upcoming .tag')).toBe('tournament');
    expect(page.texts('#upcoming .inline li')).toEqual([
      'Harbor Racing',
      '1,234 sign-ups',
      'entry: 2,100 sats',
      'prize: 30,000 sats',
      'registration until Fri 15 Jan, 09:00 UTC',
    ]);
    expect(page.links('#upcoming a')).toEqual([`/event/${paid.id}`, `/game/${HARBOR.titleId}`]);
    expect(page.text('#upcoming .when')).toBe('Fri 15 Jan, 09:00 to 10:00 UTC');
    const countdown = page.document.querySelectorAll('#upcoming [data-countdown]')[0];
    expect(countdown?.getAttribute('data-starts')).toBe('2027-01-15T09:00:00Z');
    expect(countdown?.getAttribute('data-ends')).toBe('2027-01-15T10:00:00Z');
    expect(page.texts('#upcoming [data-countdown] > [data-island]')).toEqual(['']);
  });

  it('shows one status by its URL, without countdowns for past events', async () => {
    const page = await readPage(await runWithEvents(ALL), '/events?status=past');
    expect(page.texts('h2')).toEqual(['Past', 'Calendar']);
    expect(page.texts('h3 a')).toEqual(['Over', 'Long over']);
    expect(page.text('.choices [aria-current]')).toBe('Past (2)');
    expect(page.document.querySelectorAll('[data-countdown]')).toHaveLength(0);
  });

  it('shows past events in pages', async () => {
    const past = Array.from({ length: 60 }, (_, id) =>
      eventAt(NEWEST - (id + 10) * HOUR, NEWEST - (id + 9) * HOUR, { id, title: `Past ${id}` }),
    );
    const gateway = await runWithEvents(past);
    const first = await readPage(gateway, '/events?status=past');
    expect([first.texts('h3')[0], first.text('.pager p')]).toEqual(['Past 0 event', '1–25 of 60']);
    const last = await readPage(gateway, first.links('.pager a[rel=last]')[0] ?? '');
    expect([last.texts('h3 a').at(-1), last.text('.pager p')]).toEqual(['Past 59', '51–60 of 60']);
    const after = await readPage(gateway, '/events?status=past&offset=100');
    expect(after.text('#past .empty')).toBe('No events on this page');
  });

  it('is of one game, by its title ID or name, with the calendar of the game', async () => {
    const gateway = await runWithEvents(ALL);
    for (const path of [`/events?game=${HARBOR.titleId}`, '/events?game=harbor%20racing']) {
      const page = await readPage(gateway, path);
      expect(page.text('h1')).toBe('Events of Harbor Racing');
      expect(page.texts('h3 a')).toEqual(['Running one', 'Later', 'Over']);
      expect(page.text('select [selected]')).toBe('Harbor Racing');
      const feed = `https://stats.example/api/title/${HARBOR.titleId}/events.ics`;
      expect(page.links('#calendar a')).toEqual([feed.replace('https:', 'webcal:'), feed]);
      expect(page.links('.choices a')[3]).toBe(`/events?status=past&game=${HARBOR.titleId}`);
      expect(page.document.querySelectorAll('link[rel=canonical]')[0]?.getAttribute('href')).toBe(
        `https://stats.example/events?game=${HARBOR.titleId}`,
      );
    }
    expect((await readPage(gateway, '/events?game=')).texts('h3 a')).toHaveLength(ALL.length);
  });

  it('offers the calendars of all events and of each game that has any', async () => {
    const page = await readPage(await runWithEvents(ALL), '/events');
    expect(page.links('#calendar > ul a')).toEqual([
      'webcal://stats.example/api/events.ics',
      'https://stats.example/api/events.ics',
    ]);
    expect(page.links('#calendar details a[href^=https]')).toEqual(
      [HARBOR, RALLY].map(({ titleId }) => `https://stats.example/api/title/${titleId}/events.ics`),
    );
    expect(page.links('link[rel=alternate]')).toEqual([operations.listEvents.path, operations.getEventsCalendar.path]);
  });

  it('says that there are no events', async () => {
    const page = await readPage(await runWithEvents([]), '/events');
    expect(page.texts('.empty')).toEqual([
      'No event is running',
      'No event is announced',
      'No event has ended in the last 30 days',
    ]);
  });

  it('renders hostile texts as text, and links no game that is unknown', async () => {
    const hostile = ['"><script>alert(1)</script>', '\u202Egnp.exe', 'M'.repeat(100), '__proto__', 'a/b%2F%'];
    const events = hostile.map((text, id) =>
      eventAt(NEWEST + HOUR + id, null, {
        ...{ id, title: text, game_name: text, title_id: `deadbee${id}`, has_prize: true, prize_amount: text },
      }),
    );
    const gateway = await runWithEvents(events);
    const page = await readPage(gateway, '/events');
    expect(page.texts('#upcoming h3 a')).toEqual(hostile);
    expect(page.texts('#upcoming .inline li:first-child bdi')).toEqual(hostile);
    expect(page.document.querySelectorAll('main script')).toHaveLength(0);
    expect(page.links('#upcoming a')).toEqual(events.map(({ id }) => `/event/${id}`));
    expect((await readPage(gateway, '/events?game=deadbee0')).texts('#upcoming h3 a')).toEqual([hostile[0]]);
  });

  it.each([
    ['/events?status=soon', 400, 'A part of it is wrong: status must be one of upcoming, running, past.'],
    ['/events?offset=-1', 400, 'A part of it is wrong: offset must be an integer from 0 to 100000.'],
    ['/events?game=a&game=b', 400, 'A part of it is wrong: game must be given once.'],
    ['/events?game=%22%3E%3Cscript%3E', 404, 'There is no game of that name or title ID.'],
    ['/events?game=__proto__', 404, 'There is no game of that name or title ID.'],
  ])('answers %s with %i', async (path, status, text) => {
    const page = await readPage(await runWithEvents(ALL), path);
    expect([page.status, page.texts('main p')[0]]).toEqual([status, text]);
  });

  it('says that the events are unavailable, and still shows their calendars', async () => {
    const gateway = await runGateway({ env: { CATALOG_API_URL: UNREACHABLE_URL } });
    const page = await readPage(gateway, '/events');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.texts('.unavailable')).toHaveLength(1);
    expect(page.links('#calendar a')).toHaveLength(2);
  });
});
