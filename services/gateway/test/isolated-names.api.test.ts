import { operations } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { BOARD_PAGE, record, runBoardGateway, timeOf } from './board-gateway.ts';
import { BOARD } from './catalog-responses.ts';
import { HARBOR, network, RALLY, title } from './network.ts';
import { readPage } from './page-text.ts';
import { pageOf, runWorld } from './player-world.ts';
import { runGateway } from './running-gateway.ts';
import { tableRows } from './table-rows.ts';
import { FOX } from './user-responses.ts';

const PUBLIC = 'https://stats.example';

/** Names that reverse the text after them are isolated where no markup isolates them. */
it('a game’s name is isolated in the texts of badge, widget and oEmbed', async () => {
  const other = await runGateway({
    network: network({ titles: [title('00000007', '\u202Eمرح')] }),
    env: { PUBLIC_URL: PUBLIC },
  });
  const isolated = '\u2068\u202Eمرح\u2069';
  const badge = (await other.request('/badge/game/00000007.svg')).text;
  expect(badge).toContain('aria-label="\u2068مرح\u2069: unknown"');
  expect(badge).toContain('<title>\u2068مرح\u2069: unknown</title>');
  const page = await readPage(other, '/game/00000007');
  expect(page.document.querySelector('#embeds img')?.getAttribute('alt')).toBe(`Badge: ${isolated}, users online`);
  const [href = ''] = page.links('link[type="application/json+oembed"]');
  const { title: label, html } = (await other.request(href.slice(PUBLIC.length))).body as Record<string, string>;
  expect(label).toBe(`${isolated}: users online`);
  expect(html).toContain(`title="${isolated}: users online"`);
  expect((await readPage(other, '/embed/game/00000007')).text('title')).toContain(`${isolated}: users online`);
});

it('names are isolated in the list of leaderboards to choose from', async () => {
  const titles = [{ ...HARBOR, name: '\u202Egnitsrevo' }, RALLY];
  const page = await readPage(await runWorld({ known: { titles } }), pageOf(FOX, '?tab=leaderboards'));
  expect(page.texts('#history option')[0]).toBe(`\u2068\u202Egnitsrevo\u2069 · ${BOARD.name}`);
});

it('names of leaderboards and players are isolated in the texts of tables and plots', async () => {
  const [name, isolated] = ['\u202Edraob', '\u2068\u202Edraob\u2069'];
  const about = { titleId: HARBOR.titleId, gameName: HARBOR.name };
  const entry = { rank: '1', name: 'Ember Fox', ...timeOf(49_300) };
  const since = '2027-01-15 07:00:00';
  const gateway = await runBoardGateway({
    records: [
      record('\u202Elwo', since),
      record('Owl', since),
      record('Pike', '2027-01-10 23:59:59', { until: since, ...timeOf(51_000) }),
    ],
    routes: [
      route(operations.getLeaderboard, async () => ({
        body: { ...about, name, leaderboardId: '17', entries: [entry], total: 1 },
      })),
      route(operations.getRankHistory, async ({ params: { player: playerName }, query: { days } }) => {
        const point = { recorded_at: '2027-01-15 07:00:00', rank: 1, rating: '00:49.300', timeMs: 49_300 };
        const board = { leaderboardId: 17, leaderboardName: name, isTime: true };
        return { body: { playerName, ...about, ...board, days, points: [point] } };
      }),
    ],
  });
  const board = await readPage(gateway, BOARD_PAGE);
  expect(board.document.querySelector('#rows-of-entry')?.getAttribute('aria-label')).toBe(`Entries of ${isolated}`);
  expect(tableRows(board, '#record-plot')[0]).toContain('\u2068\u202Elwo\u2069');
  const player = await readPage(gateway, `/u/Ember%20Fox?history=${HARBOR.titleId}:17`);
  expect(player.text('#rank-plot summary')).toBe(`Rank on ${isolated} as a table`);
  expect(player.text('#rank-plot figcaption')).toContain(`Rank on ${isolated}`);
});
