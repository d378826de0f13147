import { formatTimestamp, operations } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { fixedClock } from '@lobbystats/test-kit';
import { siteDay } from './day.ts';
import { network, NEWEST, seriesRoutes } from './network.ts';
import { readPage } from './page-text.ts';
import { runGateway, startStubUpstream, UNREACHABLE_URL } from './running-gateway.ts';
import { tableRows } from './table-rows.ts';

const SLOT = 300;

describe('page of the network', () => {
  it('shows totals, and records of all time, which the plots by day mark', async () => {
    const records = {
      online: { count: 1786, at: '2027-01-12 21:15:00' },
      lobbies: { count: 106, at: '2027-01-13 23:55:00' },
      matches: { count: 1767, date: '2027-01-12' },
    };
    const page = await readPage(
      await run([
        route(operations.getNetworkRecords, async () => ({ body: records })),
        route(operations.getDailyOnline, async () => ({ body: [siteDay('2027-01-13', 100, 200, 10)] })),
      ]),
      '/network',
    );
    expect(page.texts('section:first-of-type .value')).toEqual(['1,002', '41', '2', '0']);
    expect(page.texts('#records .value')).toEqual(['1,786', '106', '1,767']);
    expect(page.texts('#records .aside')).toEqual(['Tue 12 Jan, 21:15 UTC', 'Wed 13 Jan, 23:55 UTC', 'Tue 12 Jan']);
    expect(page.texts('#online-plot .flags li')).toEqual(['record: 1,786 online, Tue 12 Jan, 21:15 UTC']);
    expect(page.texts('#matches-plot .flags li')).toEqual([
      'record: 1,767 matches, Tue 12 Jan, 00:00 to Wed 13 Jan, 00:00 UTC',
    ]);
  });

  it('shows registered users, and how many were new in each week', async () => {
    const registered = [
      { date: '2026-12-31', registered_count: 990 },
      { date: '2027-01-03', registered_count: 1000 },
      { date: '2027-01-10', registered_count: 1005 },
      { date: '2027-01-11', registered_count: 1004 },
      { date: '2027-01-15', registered_count: 1012 },
    ];
    const page = await readPage(
      await run([route(operations.getDailyRegistered, async () => ({ body: registered }))]),
      '/network',
    );
    expect(page.text('#registered .lead')).toBe('1,012 on Fri 15 Jan: +22 since 31 Dec 2026.');
    expect(page.texts('#growth-plot tbody tr')).toEqual([
      'Mon 11 Jan to Sun 17 Jan (so far) 7',
      'Mon 4 Jan to Sun 10 Jan 5',
    ]);
  });

  it('shows means and peaks by month, computed from days', async () => {
    const day = (index: number) => new Date(Date.UTC(2026, 10, 11 + index)).toISOString().slice(0, 10);
    const days = [
      ...Array.from({ length: 50 }, (_, index) => siteDay(day(index), index < 20 ? 50 : 100, 200, 10)),
      siteDay('2026-12-31', 410, 500, 20),
      { ...siteDay('2027-01-01', 50, 60, 3), average_lobbies: null, peak_lobbies: null, peak_lobbies_at: null },
    ];
    const page = await readPage(
      await run([route(operations.getDailyOnline, async () => ({ body: days }))]),
      '/network',
    );
    expect(tableRows(page, '#months')).toEqual([
      'Jan 2027 (so far) | 1 | 50.0 | – | – | 60 | Fri 1 Jan, 20:00 UTC | – | 3',
      'Dec 2026 | 31 | 110.0 | +60 | +120% | 500 | 31 Dec 2026, 20:00 UTC | 7 | 320',
      'Nov 2026 | 20 | 50.0 | – | – | 200 | 11 Nov 2026, 20:00 UTC | 7 | 200',
    ]);
  });

  it('marks the current month and day as unfinished', async () => {
    const days = [siteDay('2026-12-31', 200, 500, 20), siteDay('2027-01-15', 50, 60, 3)];
    const known = network();
    const series = await startStubUpstream(
      seriesRoutes(known, [route(operations.getDailyOnline, async () => ({ body: days }))]),
    );
    const gateway = await runGateway({
      network: known,
      env: { SERIES_API_URL: series.url },
      overrides: { clock: fixedClock('2027-01-15T08:02:00Z') },
    });
    const page = await readPage(gateway, '/network');
    expect(page.texts('#months tbody th')).toEqual(['Jan 2027 (so far)', 'Dec 2026']);
    expect(page.texts('#online-plot tbody th')).toHaveLength(16);
    expect(page.texts('#online-plot tbody th')[0]).toBe('Fri 15 Jan (so far)');
    expect(page.texts('#online-plot tbody th').at(-1)).toBe('31 Dec 2026');
    expect(page.texts('#matches-plot .unfinished')).toHaveLength(1);
  });

  it('shows which slots are missing, by day', async () => {
    // From 23:30 of one day to 00:30 of the day after the next one: gaps of 3 slots over midnight, and of 2.
    const first = NEWEST - (NEWEST % 86_400) - 30 * 60;
    const missing = new Set([5, 6, 7, 100, 101]);
    const slots = Array.from({ length: 300 }, (_, index) => index).filter((index) => !missing.has(index));
    const online = slots.map((index) => ({ recorded_at: formatTimestamp(first + index * SLOT), online_count: 1 }));
    // Slots without a count of lobbies, at the end.
    const lobbies = online.slice(0, -4).map(({ recorded_at }) => ({ recorded_at, lobby_count: 1 }));
    const page = await readPage(await runGateway({ network: network({ online, lobbies }) }), '/network');
    expect(page.text('#completeness p')).toBe(
      '291 of 300 five-minute counts from Thu 14 Jan, 23:30 to Sat 16 Jan, 00:25 UTC are complete, with players online and lobbies.',
    );
    expect(page.text('#completeness summary')).toBe('97% of the counts of the last 30 days are complete');
    expect(tableRows(page, '#completeness')).toEqual([
      'Sat 16 Jan | 2 of 6 | 4 | Sat 16 Jan, 00:10 UTC, 20 min',
      'Fri 15 Jan | 284 of 288 | 4 | Fri 15 Jan, 00:00 UTC, 10 min',
      'Thu 14 Jan | 5 of 6 | 1 | Thu 14 Jan, 23:55 UTC, 5 min',
    ]);
  });

  it('says that no slot is missing', async () => {
    const page = await readPage(await runGateway(), '/network');
    expect(page.text('#completeness .empty')).toBe('No count is missing');
  });

  it('names its other formats', async () => {
    const gateway = await runGateway();
    const page = await readPage(gateway, '/network');
    const alternates = page.links('link[rel=alternate]');
    expect(alternates).toContain('/api/service-stats/daily-online?days=3650&format=csv');
    for (const href of alternates) expect((await gateway.request(href)).status).toBe(200);
  });

  it('shows a new network without counts', async () => {
    const page = await readPage(await runGateway({ network: network({ online: [], registered: [] }) }), '/network');
    expect(page.status).toBe(200);
    expect(page.texts('#registered .empty, #days .empty, #months .empty, #completeness .empty')).toHaveLength(4);
  });

  it('renders what one service alone knows', async () => {
    const page = await readPage(await runGateway({ env: { SERIES_API_URL: UNREACHABLE_URL } }), '/network');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.texts('section:first-of-type .value')).toEqual(['–', '–', '2', '0']);
    expect(page.texts('.unavailable')).toHaveLength(5);
  });
});

async function run(routes: ReturnType<typeof seriesRoutes>) {
  const known = network();
  const series = await startStubUpstream(seriesRoutes(known, routes));
  return runGateway({ network: known, env: { SERIES_API_URL: series.url } });
}
