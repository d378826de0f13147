import { changeRecorded, operations, type Change } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { catalogRoutes, network, RALLY } from './network.ts';
import { readPage } from './page-text.ts';
import { runWorld } from './player-world.ts';
import { startStubUpstream } from './running-gateway.ts';
import { FOX } from './user-responses.ts';

/** A title that the services know from earlier, and the catalog no longer lists. */
const DELISTED = { titleId: '4d530064', gameName: 'Harbor Racing' };
const BOARD = { ...DELISTED, leaderboardId: 17, leaderboardName: 'Harbor Loop' };
const ROW = { ...BOARD, playerName: FOX, rank: 1, rating: '', timeMs: 49_300, timeFormatted: '0:49.300', isTime: true };
const CHANGE = { ...changeRecorded.example.changes[0], ...BOARD, playerName: FOX } as Change;

async function run() {
  const known = network({ titles: [RALLY] });
  const one = { total: 1, limit: 25, offset: 0, hasMore: false, nextCursor: null };
  const found = { results: [ROW], count: 1, total: 1, truncated: false, nextCursor: null };
  const catalog = await startStubUpstream(
    catalogRoutes(known, [
      route(operations.listChanges, async () => ({ body: { changes: [CHANGE], ...one } })),
      route(operations.listPlayerChanges, async ({ query: { since } }) => ({
        body: { changes: since === undefined ? [CHANGE] : [], ...one },
      })),
      route(operations.listPlayerScores, async () => ({ body: { scores: [ROW] } })),
      route(operations.searchByTime, async ({ query: { time, tolerance } }) => ({
        body: { searchTime: '0:49.300', searchTimeMs: time, tolerance, ...found },
      })),
      route(operations.searchByPlayers, async ({ query: { names } }) => ({
        body: { names, tolerance: null, titleId: null, ...found },
      })),
      route(operations.searchByRanks, async ({ body: { players } }) => ({
        body: { players, titleId: null, results: [{ ...BOARD, matchedCount: 1, matches: [ROW] }], count: 1 },
      })),
      route(operations.suggestNames, async ({ query: { q } }) => ({
        body: {
          q,
          suggestions: [
            {
              type: 'game' as const,
              name: DELISTED.gameName,
              ...DELISTED,
              leaderboardId: null,
              entries: 1,
              leaderboards: null,
            },
            {
              type: 'leaderboard' as const,
              name: BOARD.leaderboardName,
              ...DELISTED,
              leaderboardId: 17,
              entries: 1,
              leaderboards: null,
            },
          ],
          count: 2,
          approximate: false,
        },
      })),
    ]),
  );
  return runWorld({ known: { titles: [RALLY] }, env: { CATALOG_API_URL: catalog.url } });
}

describe('links to games', () => {
  it.each([
    '/',
    '/changes',
    '/events',
    '/event/31',
    `/u/${FOX}`,
    `/u/${FOX}?sort=game&history=${DELISTED.titleId}:17`,
    '/search?by=time&time=0:49.300',
    `/search?by=players&names=${FOX}`,
    `/search?by=ranks&ranks=1%20${FOX}`,
  ])('%s names a game that is unknown, without a link', async (path) => {
    const gateway = await run();
    const page = await readPage(gateway, path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(page.text('main')).toMatch(/harbor/i);
    expect(page.links('a').filter((href) => href.startsWith(`/game/${DELISTED.titleId}`))).toEqual([]);
  });

  it('of the Atom feed lead to none that is unknown', async () => {
    const { text } = await (await run()).request('/api/changes.atom');
    expect(text).toContain('<category term="4d530064" label="Harbor Racing"/>');
    expect(text).not.toContain(`/game/${DELISTED.titleId}`);
  });
});
