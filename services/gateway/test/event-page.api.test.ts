import { eventPagePath, isolated, operations } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { links } from '@lobbystats/site/links';
import { CALENDAR } from './catalog-responses.ts';
import { catalogRoutes, HARBOR, network, NEWEST } from './network.ts';
import { readPage, type ReadPage } from './page-text.ts';
import { eventAt, runWithEvents } from './running-events.ts';
import { runGateway, startStubUpstream, UNREACHABLE_URL } from './running-gateway.ts';
import { fillPath } from './sample-request.ts';

const HOUR = 3600;

function factsOf(page: ReadPage): Record<string, string> {
  const values = page.texts('#facts dd');
  return Object.fromEntries(page.texts('#facts dt').map((label, index) => [label, values[index] ?? '']));
}

describe('page of an event', () => {
  const full = eventAt(NEWEST + HOUR, NEWEST + 16 * HOUR, {
    ...{ id: 7, title: 'Harbor Cup', game_name: 'Old name', title_id: HARBOR.titleId, item_kind: 'tournament' },
    ...{ event_timezone: 'Asia/Tokyo', event_date: '2027-01-15', start_time: '18:00', end_time: '09:00' },
    ...{ tournament_status: 'registration', signup_count: 1_234, has_prize: true, prize_amount: 'A trophy' },
    ...{ is_paid_event: true, entry_fee_sats: 2_100, reward_total_sats: 90_000, pot_verified_balance_sats: 80_000 },
    ...{ sponsor_name: 'Heron & Sons', description: 'First\nline\r\n\r\nSecond <b>' },
    ...{ registration_opens_at: '2027-01-01 00:00:00', registration_closes_at: '2027-01-15 08:30:00' },
    ...{ banner_url: 'https://elsewhere.example/b.png', game_image: 'https://elsewhere.example/g.png' },
  });

  it('shows all fields, with the time in UTC and in the zone of the event', async () => {
    const page = await readPage(await runWithEvents([full]), '/event/7');
    expect([page.status, page.text('h1'), page.texts('.hero .tag')]).toEqual([
      200,
      'Harbor Cup',
      ['tournament', 'upcoming'],
    ]);
    expect(page.text('.when')).toBe('Fri 15 Jan, 09:00 to Sat 16 Jan, 00:00 UTC');
    expect(page.document.querySelectorAll('[data-countdown] > [data-island]')).toHaveLength(1);
    expect(factsOf(page)).toEqual({
      Game: 'Harbor Racing',
      'In its time zone': '2027-01-15 18:00 to 09:00 of the next day (Asia/Tokyo)',
      Tournament: 'registration',
      'Sign-ups': '1,234',
      Registration: 'Fri 1 Jan, 00:00 to Fri 15 Jan, 08:30 UTC, on the network’s site',
      Entry: '2,100 sats',
      Prize: 'A trophy',
      'Total reward': '90,000 sats',
      'Verified pot': '80,000 sats',
      Sponsor: 'Heron & Sons',
    });
    expect(page.texts('#description p')).toEqual(['First line', 'Second <b>']);
  });

  it('links to its game, its calendar file and the events of the game, and to no other host', async () => {
    const gateway = await runWithEvents([full]);
    const page = await readPage(gateway, '/event/7');
    const file = operations.getEventCalendar.path.replace(':eventId', '7');
    expect(page.links('.event .button')).toEqual([file]);
    expect((await gateway.request(file)).headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(page.links('#facts a')).toEqual([`/game/${HARBOR.titleId}`]);
    expect(page.links('.more a')).toEqual([
      '/events',
      ...['', '#calendar'].map((at) => `/events?game=${HARBOR.titleId}${at}`),
    ]);
    expect((await gateway.request('/event/7')).text).not.toContain('elsewhere.example');
    expect(page.document.querySelectorAll('meta[property="og:image"]')[0]?.getAttribute('content')).toBe(
      `https://stats.example/og/game/${HARBOR.titleId}.png`,
    );
  });

  it('omits what is not known, and the countdown of an event that is over', async () => {
    const bare = eventAt(NEWEST - 7 * HOUR, null, { id: 7, title_id: null, game_name: '', description: '' });
    const page = await readPage(await runWithEvents([bare]), '/event/7');
    expect(factsOf(page)).toEqual({
      'In its time zone': '2027-01-15 01:00 (UTC)',
      'Sign-ups': '14',
      Entry: 'Free',
      Prize: 'None',
    });
    expect(page.texts('.hero .tag')).toEqual(['event', 'over']);
    expect(page.text('#description')).toBe('Description No description');
    expect(page.document.querySelectorAll('[data-countdown]')).toHaveLength(0);
    expect(page.links('.more a')).toEqual(['/events']);
  });

  it.each(['"><script>alert(1)</script>', '\u202Egnp.exe', 'M'.repeat(100), '__proto__', 'a/b%2F%'])(
    'renders %j as text',
    async (text) => {
      const texts = { title: text, game_name: text, description: text, sponsor_name: text, tournament_status: text };
      const hostile = eventAt(NEWEST + HOUR, null, { id: 7, title_id: 'deadbeef', ...texts });
      const page = await readPage(await runWithEvents([hostile]), '/event/7');
      expect([page.text('h1'), page.text('title')]).toEqual([text, `${isolated(text)} · Lobbystats`]);
      expect(factsOf(page)).toMatchObject({ Game: text, Sponsor: text, Tournament: text });
      expect(page.texts('#description p')).toEqual([text]);
      expect(page.document.querySelectorAll('main script')).toHaveLength(0);
    },
  );

  it.each(['8', '2147483648', 'x', '__proto__', '%2e', 'a%2Fb', '7%20'])('is 404 for %j', async (id) => {
    const page = await readPage(await runWithEvents([full]), `/event/${id}`);
    expect([page.status, page.text('h1'), page.texts('main p')[0]]).toEqual([
      404,
      'Not found',
      'There is no such event.',
    ]);
  });

  it('has one canonical address', async () => {
    const page = await readPage(await runWithEvents([full]), '/event/007');
    expect(page.document.querySelectorAll('link[rel=canonical]')[0]?.getAttribute('href')).toBe(
      'https://stats.example/event/7',
    );
  });

  it('is unavailable while the catalog is', async () => {
    const gateway = await runWithEvents([full], { env: { CATALOG_API_URL: UNREACHABLE_URL } });
    const page = await readPage(gateway, '/event/7');
    expect([page.status, page.text('h1')]).toEqual([503, 'Unavailable at the moment']);
  });
});

describe('texts without markup', () => {
  it('end what a name turns to right-to-left with the name', async () => {
    const title = '\u202Eevil';
    const gateway = await runWithEvents([
      eventAt(NEWEST + HOUR, NEWEST + 2 * HOUR, { id: 7, title, game_name: title }),
    ]);
    const { text } = await gateway.request('/event/7', { headers: { Accept: 'text/html' } });
    const isolate = '\u2068\u202Eevil\u2069';
    expect(text).toContain(`<title>${isolate} · Lobbystats</title>`);
    for (const name of ['property="og:title"', 'name="description"', 'property="og:description"']) {
      expect(text).toContain(`<meta ${name} content="${isolate}`);
    }
    expect(text).toContain(`${isolate}, ${isolate}:`);
  });
});

describe('calendar file of an event', () => {
  it('has the file name that catalog-api gives it', async () => {
    const known = network();
    const catalog = await startStubUpstream(
      catalogRoutes(known, [
        route(operations.getEventCalendar, async () => ({ body: CALENDAR, fileName: 'harbor-night.ics' })),
      ]),
    );
    const gateway = await runGateway({ network: known, env: { CATALOG_API_URL: catalog.url } });
    const { status, headers } = await gateway.request(fillPath(operations.getEventCalendar.path));
    expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="harbor-night.ics"']);
  });

  it('has the link of the page as its URL', () => {
    expect(links.event(31)).toBe(eventPagePath(31));
  });
});
