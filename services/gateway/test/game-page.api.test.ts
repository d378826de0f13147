import { formatTimestamp, operations, weekdays, type OperationResponse } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { BOARD, EVENT } from './catalog-responses.ts';
import { day, titleDay } from './day.ts';
import { catalogRoutes, HARBOR, network, RALLY, seriesRoutes, title } from './network.ts';
import { runBoardGateway } from './board-gateway.ts';
import { readPage } from './page-text.ts';
import { runGateway, startStubUpstream } from './running-gateway.ts';
import { tableRows } from './table-rows.ts';

const HOSTILE = ['"><script>alert(1)</script>', '\u202Egnp.exe', '__proto__', 'a/b %41?#', 'x'.repeat(100)];

describe('page of a game', () => {
  it('shows the numbers of the API', async () => {
    const gateway = await runGateway({ network: day() });
    const page = await readPage(gateway, '/game/00000001');
    expect([page.status, page.text('h1')]).toEqual([200, 'Harbor Racing']);
    const online = (await gateway.request(operations.getOnlineUsers.path)).body as OperationResponse<
      typeof operations.getOnlineUsers
    >;
    const { online: users, activeLobbies, activeLobbyPlayers } = online['Harbor Racing'] ?? {};
    expect(page.texts('.figures .value')).toEqual([
      users?.toLocaleString('en'),
      String(activeLobbies),
      String(activeLobbyPlayers),
      '–',
      '–',
    ]);
    expect(page.texts('#lobbies tbody tr:first-child > *').slice(0, 2)).toEqual(['Ember Fox', '6/8']);
    expect(page.texts('#leaderboards tbody th')).toEqual([BOARD.name]);
    expect(page.texts('#events a')).toContain(EVENT.title);
  });

  it('names the busiest hour in a sentence, and shades a table of all hours', async () => {
    const page = await readPage(await runGateway({ network: day() }), '/game/00000001');
    expect(page.text('#busiest-hour')).toBe(
      'Busiest on Mondays from 20:00 to 21:00 UTC, with an average of 2.5 and a peak of 4 users online.',
    );
    expect(page.texts('.heat tbody th')).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
    expect(page.texts('.heat tbody td')).toHaveLength(7 * 24);
    expect(page.texts('.heat .level-9')).toEqual(['2.5']);
  });

  it('is found by name and by title ID, which is canonical', async () => {
    const gateway = await runGateway({ env: { PUBLIC_URL: 'https://stats.example' } });
    for (const path of ['/game/Harbor%20Racing', '/game/harbor%20racing', '/game/4D530064']) {
      const page = await readPage(gateway, path);
      expect(page.text('h1')).toBe('Harbor Racing');
      expect(page.links('link[rel="canonical"]')).toEqual(['https://stats.example/game/4d530064']);
      expect(page.text('.about')).toBe('Harbor Racing: the game · Northlight · released 15 Nov 2001');
    }
  });

  it('takes a title ID for the title, though another game has that name', async () => {
    const other = title('0000000b', HARBOR.titleId);
    const gateway = await runGateway({ network: network({ titles: [HARBOR, RALLY, other] }) });
    expect((await readPage(gateway, `/game/${HARBOR.titleId}`)).text('h1')).toBe(HARBOR.name);
    expect((await readPage(gateway, `/game/${other.titleId}`)).text('h1')).toBe(other.name);
  });

  it('says since when each lobby is open', async () => {
    const known = day();
    const timestamp = formatTimestamp(known.newest);
    const lobby = { hostName: 'Ember Fox', currentPlayers: 6, maxPlayers: 8, timestamp };
    known.openLobbies = [
      { id: '1', titleId: '00000001', gameName: 'Harbor Racing', openedAt: '2027-01-15 06:00:00', ...lobby },
      { id: '2', titleId: '00000002', gameName: 'Chess', openedAt: '2027-01-15 01:00:00', ...lobby },
    ];
    const page = await readPage(await runGateway({ network: known }), '/game/00000001');
    expect(page.texts('#lobbies thead th')).toEqual(['Host', 'Players', 'Opened']);
    expect(page.texts('#lobbies tbody tr > *')).toEqual(['Ember Fox', '6/8', 'Fri 15 Jan, 06:00 UTC']);
  });

  it('names who is online in it, and leads to all of them and to the lobbies with room', async () => {
    const known = day();
    const players = Array.from({ length: 30 }, (_, index) => `user ${String(index).padStart(2, '0')}`);
    known.usersOnline = [
      { username: 'elsewhere', titleId: '00000003', game: null },
      ...players.map((username) => ({ username, titleId: '00000001', game: null })),
    ];
    const page = await readPage(await runGateway({ network: known }), '/game/00000001');
    expect(page.texts('#online li')).toEqual(players.slice(0, 9));
    expect(page.text('#online .beside')).toBe('30 players');
    expect(page.links('#online .more a, #lobbies .beside a')).toEqual([
      ...['/live?game=00000001#online', '/live?game=00000001&room=yes'],
    ]);
    expect(page.links('.figures a')).toEqual(['#online', '#lobbies', '#lobbies', '#plots', '#plots']);
  });

  it('says how many to expect this evening', async () => {
    const known = day();
    const hours = weekdays.flatMap((weekday) =>
      [20, 21, 22].map((hour) => ({ weekday, hour, average_online: hour, peak_online: 50 })),
    );
    const series = await startStubUpstream(
      seriesRoutes(known, [
        route(operations.getActivity, async ({ params: { titleId } }) => ({
          body: { titleId, gameName: 'Harbor Racing', days: 28 as const, hours },
        })),
      ]),
    );
    const gateway = await runGateway({ network: known, env: { SERIES_API_URL: series.url } });
    const page = await readPage(gateway, '/game/00000001');
    expect(page.text('#tonight b')).toMatch(/^(Tonight|Tomorrow) 20–23 h UTC: about 21 players$/);
  });

  it('links its data, feeds and image', async () => {
    const page = await readPage(await runGateway(), '/game/4d530064?range=7d');
    expect(page.links('link[rel="alternate"]:not([type$=oembed])')).toEqual([
      '/api/title/4d530064',
      '/api/title/4d530064/online-users/history?hours=168&resolution=30&format=csv',
      '/api/title/4d530064/matches/history?format=csv',
      '/api/title/4d530064/changes.atom',
      '/api/title/4d530064/events.ics',
    ]);
    expect(page.links()).toEqual(
      expect.arrayContaining(['/compare?games=4d530064&range=7d', '/game/4d530064/leaderboard/17']),
    );
  });

  it.each(['24h', '7d', '30d', '1y'])(
    'shows players online and lobbies over %s, each count on an axis of its own',
    async (range) => {
      const page = await readPage(await runGateway(), `/game/4d530064?range=${range}`);
      expect(page.status).toBe(200);
      expect(page.texts('#plots figure')).toHaveLength(range === '24h' ? 2 : 3);
      expect(page.texts('#lobbies-plot .legend, #players-plot .legend')).toEqual([]);
      expect(page.texts('[aria-label=Period] [aria-current]')).toHaveLength(1);
    },
  );

  it('lists leaderboards with record, holder and entries by mode, and finds them by words', async () => {
    const record = { playerName: 'Ember Fox', rating: '00:49.300', timeMs: 49_300, timeFormatted: '0:49.300' };
    const board = (leaderboardId: number, name: string, rest = {}) => ({
      ...{ leaderboardId, name, entries: 1200 },
      record: { ...record, isTime: true, since: '2027-01-14 08:00:00', isShared: false, ...rest },
    });
    const holders = [
      board(1, 'Best Lap - Old Pier'),
      board(2, 'High Score - Old Pier', { rating: '9,000', timeFormatted: '', isTime: false, since: null }),
      board(3, 'Best Lap - <b>Étang</b>', { playerName: 'Pike', isShared: true }),
      board(4, 'High Score - Quarry'),
      { leaderboardId: 5, name: 'Odd', entries: 0, record: null },
    ];
    const gateway = await runBoardGateway({
      routes: [route(operations.listRecordHolders, async () => ({ body: holders }))],
    });
    const page = await readPage(gateway, '/game/4d530064');
    expect(page.texts('#leaderboards h3')).toEqual(['Best Lap', 'High Score', 'Others']);
    expect(tableRows(page, '#leaderboards')).toEqual([
      'Old Pier | 0:49.300 | Ember Fox since Thu 14 Jan, 08:00 UTC | 1,200',
      '<b>Étang</b> | 0:49.300 | Pike and others since Thu 14 Jan, 08:00 UTC | 1,200',
      'Old Pier | 9,000 | Ember Fox | 1,200',
      'Quarry | 0:49.300 | Ember Fox since Thu 14 Jan, 08:00 UTC | 1,200',
      'Odd | – | – | 0',
    ]);
    const found = async (words: string) =>
      (await readPage(gateway, `/game/4d530064?board=${encodeURIComponent(words)}`)).texts('#leaderboards tbody th');
    expect(await found('pier LAP')).toEqual(['Best Lap - Old Pier']);
    expect(await found('pike')).toEqual(['Best Lap - <b>Étang</b>']);
    expect(await found('"><script>')).toEqual([]);
    expect((await readPage(gateway, `/game/4d530064?board=${'x'.repeat(101)}`)).status).toBe(400);
  });

  it('compares with the week before, where a period has one', async () => {
    const known = day();
    const gateway = await runGateway({ network: known });
    const page = await readPage(gateway, '/game/00000001?compare=week');
    expect(page.texts('#online-plot .legend li')).toEqual(['Players online', 'A week before']);
    expect(page.texts('[aria-label=Comparison] [aria-current]')).toEqual(['With the week before']);
    expect(page.links('[aria-label=Comparison] a')[0]).toBe('/game/00000001#plots');
    const month = await readPage(gateway, '/game/00000001?range=30d&compare=week');
    expect([month.status, month.texts('[aria-label=Comparison]')]).toEqual([200, []]);
    expect((await readPage(gateway, '/game/00000001?compare=year')).status).toBe(400);
  });

  it('lists the events that ended last', async () => {
    const known = day();
    const events = Array.from({ length: 9 }, (_, index) => {
      const starts_at = formatTimestamp(known.newest - (10 - index) * 86_400);
      return { ...EVENT, id: index + 1, title: `Cup ${index}`, starts_at, ends_at: starts_at };
    });
    const catalog = await startStubUpstream(
      catalogRoutes(known, [
        route(operations.listEvents, async ({ query: { limit } }) => ({ body: events.slice(0, limit) })),
      ]),
    );
    const gateway = await runGateway({ network: known, env: { CATALOG_API_URL: catalog.url } });
    const page = await readPage(gateway, '/game/00000001');
    expect(page.texts('#events li a')).toEqual(['Cup 8', 'Cup 7', 'Cup 6', 'Cup 5', 'Cup 4']);
  });

  it('shows its months with their gain', async () => {
    const known = day();
    const daysOf = (month: string, count: number, mean: number, peak: number) =>
      Array.from({ length: count }, (_, index) =>
        titleDay(`${month}-${String(index + 1).padStart(2, '0')}`, mean, peak - index),
      );
    const stats = [...daysOf('2025-10', 19, 9, 40), ...daysOf('2025-11', 20, 15, 30), ...daysOf('2025-12', 21, 18, 50)];
    const series = await startStubUpstream(
      seriesRoutes(known, [
        route(operations.getDailyStats, async ({ params: { titleId }, query: { days } }) => ({
          body: { titleId, gameName: 'Harbor Racing', days, stats },
        })),
      ]),
    );
    const gateway = await runGateway({ network: known, env: { SERIES_API_URL: series.url } });
    expect(tableRows(await readPage(gateway, '/game/00000001'), '#months')).toEqual([
      'Dec 2025 | 21 | 18.0 | +3 | +20% | 50',
      'Nov 2025 | 20 | 15.0 | – | – | 30',
      'Oct 2025 | 19 | 9.0 | – | – | 40',
    ]);
  });

  it('pages the match history up to the largest offset', async () => {
    const gateway = await runGateway();
    const page = await readPage(gateway, '/game/4d530064?range=7d&matches=10');
    expect(page.links('.pager a')).toEqual([
      '/game/4d530064?range=7d#matches',
      '/game/4d530064?range=7d#matches',
      '/game/4d530064?range=7d&matches=20#matches',
      '/game/4d530064?range=7d&matches=4990#matches',
    ]);
    expect(gateway.series.requests.map(({ url }) => url)).toContain(
      '/api/title/4d530064/matches/history?hours=168&limit=10&offset=10',
    );
    expect((await readPage(gateway, '/game/4d530064?matches=100001')).status).toBe(400);
  });

  it('renders the rest while an upstream is down', async () => {
    const gateway = await runGateway({ network: day() });
    await gateway.series.stop();
    const page = await readPage(gateway, '/game/00000001');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.text('h1')).toBe('Harbor Racing');
    expect(page.texts('#leaderboards tbody th')).toEqual([BOARD.name]);
    expect(page.text('#matches .unavailable')).toBe('This part is unavailable at the moment.');
  });

  it.each(HOSTILE)('shows a game called %j', async (name) => {
    const gateway = await runGateway({ network: network({ titles: [title('00000007', name, { publisher: name })] }) });
    const page = await readPage(gateway, `/game/${encodeURIComponent(name)}`);
    expect([page.status, page.text('h1')]).toEqual([200, name]);
    expect(page.texts('main script:not([type="application/json"])')).toEqual([]);
  });

  it.each(['/game/Unknown', '/game/__proto__', '/game/00000000', '/game/%2e%2e%2f'])('is 404 at %s', async (path) => {
    const page = await readPage(await runGateway(), path);
    expect([page.status, page.text('h1')]).toEqual([404, 'Not found']);
  });

  it.each(['range=1h', 'matches=x', 'range=7d&range=7d'])('is 400 at ?%s', async (query) => {
    expect((await readPage(await runGateway(), `/game/4d530064?${query}`)).status).toBe(400);
  });
});

describe('link to a game by title ID', () => {
  it('redirects to its page', async () => {
    const { status, headers } = await (await runGateway()).request('/game?titleId=4D530064');
    expect([status, headers.location]).toEqual([301, '/game/4d530064']);
  });

  it.each(['?titleId=00000000', '?titleId=Harbor%20Racing', '?titleId=%2F%2Fexample.org', '?titleId='])(
    'is 404 for %s',
    async (query) => {
      const page = await readPage(await runGateway(), `/game${query}`);
      expect([page.status, page.text('h1')]).toEqual([404, 'Not found']);
    },
  );
});
