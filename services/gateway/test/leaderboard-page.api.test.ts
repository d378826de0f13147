import { operations } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { route } from '@lobbystats/service-kit';
import { BOARD_PAGE, HOSTILE_NAMES, record, runBoardGateway, timeOf, type Board } from './board-gateway.ts';
import { HARBOR } from './network.ts';
import { readPage } from './page-text.ts';
import { runGateway, UNREACHABLE_URL } from './running-gateway.ts';
import { tableRows } from './table-rows.ts';

const MANY = Array.from({ length: 120 }, (_, index) => `Player ${index + 1}`);

describe('leaderboard page', () => {
  it('shows the entries of the API, 50 a page', async () => {
    const gateway = await runBoardGateway({ names: MANY });
    const page = await readPage(gateway, BOARD_PAGE);
    const api = (await gateway.request(`/api${BOARD_PAGE}?limit=50`)).body as Board;
    expect(page.status).toBe(200);
    expect(page.texts('h1')).toEqual(['Old Pier, best lap']);
    expect(page.texts('#entries tbody th')).toEqual(api.entries.map(({ name }) => name));
    expect(tableRows(page, '#entries')[1]).toBe('2 | Player 2 | 0:49.400 +0.100 s | +0.100 s | +0.100 s | –');
    expect(page.text('.pager p')).toBe('1–50 of 120');
    expect(page.links('.pager [rel=next]')).toEqual([`${BOARD_PAGE}?offset=50`]);
    expect(page.text('.lead')).toContain('120 entries · read Fri 15 Jan, 07:58 UTC');
    const last = await readPage(gateway, `${BOARD_PAGE}?offset=100`);
    expect(last.texts('#entries tbody th')).toEqual(MANY.slice(100));
  });

  it('has the first three on a podium, whatever page is shown', async () => {
    const gateway = await runBoardGateway({ names: MANY });
    for (const query of ['', '?offset=100', '?around=Player+80']) {
      const page = await readPage(gateway, BOARD_PAGE + query);
      expect(page.texts('.podium li')).toEqual(
        [1, 2, 3].map((rank) => `Rank ${rank} Player ${rank} 0:49.${rank + 2}00`),
      );
    }
    expect((await readPage(await runBoardGateway({ names: [] }), BOARD_PAGE)).texts('.podium')).toEqual([]);
  });

  it('is found by the game’s name, links to the game, and names its other formats and its image', async () => {
    const gateway = await runBoardGateway();
    const page = await readPage(gateway, '/game/Harbor%20Racing/leaderboard/17');
    expect(page.links('.lead a')).toEqual([`/game/${HARBOR.titleId}`]);
    expect(page.links('link[rel=alternate][type="text/csv"]')).toContain(
      `/api/title/${HARBOR.titleId}/leaderboard/17?format=csv`,
    );
    for (const href of page.links('link[rel=alternate]')) expect((await gateway.request(href)).status).toBe(200);
    const image = page.document.querySelector('meta[property="og:image"]')?.getAttribute('content') ?? '';
    expect(new URL(image).pathname).toBe(`/og/game/${HARBOR.titleId}/leaderboard/17.png`);
  });

  it('says in one sentence who holds the record, and since when', async () => {
    const gateway = await runBoardGateway({
      records: [
        record('Ember Fox', '2027-01-15 07:00:00'),
        record('Ember Fox', '2027-01-12 12:30:00', { until: '2027-01-15 07:00:00', ...timeOf(50_000) }),
        record('Pike', '2027-01-10 23:59:59', { until: '2027-01-12 12:30:00', source: 'first', ...timeOf(51_000) }),
      ],
    });
    const page = await readPage(gateway, BOARD_PAGE);
    expect(page.text('#record')).toBe(
      'Ember Fox holds this leaderboard’s record, 0:49.300, since Fri 15 Jan, 07:00 UTC; rank 1 since Tue 12 Jan, 12:30 UTC. They bettered their own record by 0.700 s.',
    );
    expect(tableRows(page, '#rows-of-record')).toEqual([
      'Ember Fox bettered their own record by 0.700 s | 0:49.300 | Fri 15 Jan, 07:00 UTC | now',
      'Ember Fox took it from Pike by 1.000 s | 0:50.000 | Tue 12 Jan, 12:30 UTC | Fri 15 Jan, 07:00 UTC',
      'Pike | 0:51.000 | Sun 10 Jan or earlier | Tue 12 Jan, 12:30 UTC',
    ]);
  });

  it('plots the record over time, with its holders', async () => {
    const gateway = await runBoardGateway({
      records: [
        record('Ember Fox', '2027-01-15 07:00:00'),
        record('Owl', '2027-01-15 07:00:00'),
        record('Pike', '2027-01-10 23:59:59', { until: '2027-01-15 07:00:00', source: 'first', ...timeOf(51_000) }),
      ],
    });
    const page = await readPage(gateway, BOARD_PAGE);
    expect(page.texts('#record-plot polyline')).toHaveLength(1);
    expect(tableRows(page, '#record-plot')).toEqual([
      'Fri 15 Jan, 07:00 | 0:49.300, Owl, Ember Fox',
      'Sun 10 Jan, 23:59 | 0:51.000, Pike',
    ]);
  });

  it('says since when each entry is known', async () => {
    const since = ['2027-01-14 10:00:00', null];
    const entries = since.map((at, index) => ({
      rank: String(index + 1),
      name: `P${index}`,
      ...timeOf(1000),
      since: at,
    }));
    const head = { titleId: HARBOR.titleId, gameName: HARBOR.name, leaderboardId: '17', name: 'Old Pier', total: 2 };
    const routes = [route(operations.getLeaderboard, async () => ({ body: { ...head, entries } }))];
    const page = await readPage(await runBoardGateway({ routes }), BOARD_PAGE);
    expect(page.texts('#entries tbody td:last-child')).toEqual(['Thu 14 Jan, 10:00 UTC', '–']);
  });

  it('names all holders of a shared record, and says when there is none', async () => {
    const shared = await runBoardGateway({
      records: [record('Pike', '2027-01-15 07:00:00'), record('Ember Fox', '2027-01-14 23:59:59', { source: 'day' })],
    });
    expect((await readPage(shared, BOARD_PAGE)).text('#record')).toBe(
      '2 players share this leaderboard’s record of 0:49.300: Pike (since Fri 15 Jan, 07:00 UTC), Ember Fox (since Thu 14 Jan).',
    );
    const none = await readPage(await runBoardGateway(), BOARD_PAGE);
    expect(none.text('#record')).toContain('Nobody holds');
    expect(none.text('#records .empty')).toBe('No record yet');
  });

  it('shows five entries above and five below a player, and marks the row', async () => {
    const gateway = await runBoardGateway({ names: MANY });
    const page = await readPage(gateway, `${BOARD_PAGE}?around=Player+80`);
    expect(page.texts('tr.marked th')).toEqual(['Player 80']);
    expect(page.texts('#entries tbody th')).toEqual(Array.from({ length: 11 }, (_, index) => `Player ${75 + index}`));
    expect(page.links('#entries .more a')).toEqual([`${BOARD_PAGE}?offset=50`]);
    expect(page.document.querySelector('[name=around]')?.getAttribute('value')).toBe('Player 80');
  });

  it('says that a player is not on the board, and shows the first entries', async () => {
    const page = await readPage(await runBoardGateway({ names: MANY }), `${BOARD_PAGE}?around=%22%3E%3Cscript%3E`);
    expect(page.text('[role=status].card')).toContain('No player “"><script>” is on this leaderboard');
    expect(page.texts('#entries tbody th')[0]).toBe('Player 1');
  });

  it('shows the board as of the end of a day, or says that it was not known', async () => {
    const gateway = await runBoardGateway({ names: ['Pike'], days: { '2027-01-10': ['Ember Fox', 'Pike'] } });
    const page = await readPage(gateway, `${BOARD_PAGE}?at=2027-01-10`);
    expect(page.text('#entries-heading')).toBe('Entries at the end of Sun 10 Jan (UTC)');
    expect(page.texts('#entries tbody th')).toEqual(['Ember Fox', 'Pike']);
    expect(page.document.querySelector('main')?.getAttribute('data-stream')).toBe('');
    const before = await readPage(gateway, `${BOARD_PAGE}?at=2027-01-09`);
    expect([before.status, before.text('#entries .empty')]).toEqual([
      200,
      'This leaderboard was not known on that day',
    ]);
  });

  it('shows how ranks have moved since a day or a week', async () => {
    const now = ['Pike', 'Ember Fox', 'Newcomer', 'Owl'];
    const gateway = await runBoardGateway({
      names: now,
      days: { '2027-01-14': ['Ember Fox', 'Pike', 'Gone', 'Owl'], '2027-01-03': now, '2027-01-10': now.toReversed() },
    });
    const cells = async (query: string) =>
      (await readPage(gateway, BOARD_PAGE + query)).texts('#entries tbody td:last-child');
    expect(await cells('?since=1d')).toEqual(['▲ up 1', '▼ down 1', 'new', '=']);
    expect(await cells('?since=7d&at=2027-01-10')).toEqual(['▲ up 3', '▲ up 1', '▼ down 1', '▼ down 3']);
    const unknown = await readPage(gateway, `${BOARD_PAGE}?since=7d`);
    expect(unknown.text('#entries .hint')).toBe('This leaderboard was not known 7 days before.');
  });

  it('shows how many entries have which time', async () => {
    const page = await readPage(await runBoardGateway({ names: MANY }), BOARD_PAGE);
    const rows = tableRows(page, '#ratings');
    expect(rows.slice(0, 2)).toEqual(['0:49.000–0:49.500 | 2', '0:49.500–0:50.000 | 5']);
    const counted = page.texts('#ratings tbody td').map(Number);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(120);
    expect(page.document.querySelectorAll('#ratings polyline')).toHaveLength(rows.length);
  });

  it('shows the distribution of scores with separators', async () => {
    const scores = ['1,000', '900', '20', 'n/a'].map((rating, index) => ({
      ...{ rank: String(index + 1), name: `Player ${index}`, rating },
      ...{ timeMs: 0, timeFormatted: '', isTime: false },
    }));
    const routes = [
      route(operations.getLeaderboard, async () => ({
        body: {
          titleId: HARBOR.titleId,
          gameName: 'Harbor Racing',
          leaderboardId: '17',
          name: 'P',
          entries: scores,
          total: 4,
        },
      })),
    ];
    const page = await readPage(await runBoardGateway({ routes }), BOARD_PAGE);
    expect(tableRows(page, '#ratings').at(-1)).toBe('1,000–1,050 | 1');
    expect(page.text('#ratings > .hint')).toContain('without 1 entry that are no numbers');
  });

  it('shows hostile names as text, with links that lead to them', async () => {
    const page = await readPage(
      await runBoardGateway({ names: HOSTILE_NAMES, records: [record(HOSTILE_NAMES[0] ?? '', '2027-01-15 07:00:00')] }),
      BOARD_PAGE,
    );
    expect(page.texts('#entries tbody th')).toEqual(HOSTILE_NAMES);
    expect(page.links('#entries tbody th a').map((href) => decodeURIComponent(href.slice('/u/'.length)))).toEqual(
      HOSTILE_NAMES,
    );
    expect(page.document.querySelectorAll('main script:not([type="application/json"])')).toHaveLength(0);
  });

  it('renders without its records, and is 503 without the catalog', async () => {
    const failing = route(operations.getLeaderboardRecords, () => {
      throw new AppError('unavailable', 'down');
    });
    const page = await readPage(await runBoardGateway({ routes: [failing] }), BOARD_PAGE);
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.texts('#entries tbody th')).toEqual(['Ember Fox']);
    expect(page.text('#records .unavailable')).toContain('unavailable');
    const down = await runGateway({ env: { CATALOG_API_URL: UNREACHABLE_URL } });
    expect((await readPage(down, BOARD_PAGE)).status).toBe(503);
  });

  it.each(['/game/ffffffff/leaderboard/17', `/game/${HARBOR.titleId}/leaderboard/18`, '/game/Nothing/leaderboard/17'])(
    'is 404 for %s',
    async (path) => {
      const page = await readPage(await runBoardGateway(), path);
      expect([page.status, page.text('h1')]).toEqual([404, 'Not found']);
    },
  );

  it.each(['?at=2027-02-30', '?since=1y', '?offset=-1', '?offset=5&around=Ember+Fox', '?at=2027-01-01&at=2027-01-02'])(
    'is 400 for %s',
    async (query) => {
      expect((await readPage(await runGateway(), BOARD_PAGE + query)).status).toBe(400);
    },
  );

  it('takes the empty fields of its form', async () => {
    const page = await readPage(await runBoardGateway(), `${BOARD_PAGE}?at=&around=`);
    expect([page.status, page.texts('#entries tbody th')]).toEqual([200, ['Ember Fox']]);
  });
});

describe('gaps of a leaderboard', () => {
  const gaps = (page: Awaited<ReturnType<typeof readPage>>) => [
    page.texts('#entries tbody td:nth-child(4)'),
    page.texts('#entries tbody td:nth-child(5)'),
  ];

  it('are those to the first and to the next entry, on each page', async () => {
    const gateway = await runBoardGateway({ names: MANY });
    const first = await readPage(gateway, BOARD_PAGE);
    expect(gaps(first).map((texts) => texts.slice(0, 3))).toEqual([
      ['–', '+0.100 s', '+0.200 s'],
      ['–', '+0.100 s', '+0.100 s'],
    ]);
    const second = await readPage(gateway, `${BOARD_PAGE}?offset=50`);
    expect(gaps(second).map(([text]) => text)).toEqual(['+5.000 s', '+0.100 s']);
  });

  it('name the next target of the player in the middle', async () => {
    const gateway = await runBoardGateway({ names: MANY });
    const [, , third = ''] = MANY;
    const page = await readPage(gateway, `${BOARD_PAGE}?around=${encodeURIComponent(third)}`);
    expect(page.text('#target')).toBe(`Rank 3. The next target is rank 2, ${MANY[1] ?? ''}: 0.100 s faster.`);
    const [best = ''] = MANY;
    expect(
      (await readPage(gateway, `${BOARD_PAGE}?around=${encodeURIComponent(best)}`)).text('#target'),
    ).toBeUndefined();
  });
});
