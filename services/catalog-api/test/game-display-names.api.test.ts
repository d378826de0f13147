import { operations } from '@lobbystats/contracts';
import { observeBoards, times, TITLE } from './board-passes.ts';
import { catalogFixture, NOW, type RunningCatalog } from './running-catalog.ts';

const NAMESAKE = '4d530065';

const { run } = catalogFixture();

describe('display name of a game', () => {
  it('boards, changes and search rows show the current name of a game', async () => {
    const catalog = await run();
    await catalog.observeHome({ [TITLE]: { name: 'Before' } });
    await observeTwoPasses(catalog, TITLE);
    expect(await gameNames(catalog, TITLE)).toEqual(Array.from({ length: 7 }, () => 'Before'));
    await catalog.observeHome({ [TITLE]: { name: 'After' } }, { seenAt: NOW + 1 });
    expect(await gameNames(catalog, TITLE)).toEqual(Array.from({ length: 7 }, () => 'After'));
  });

  it('a duplicate name is qualified by the title ID', async () => {
    const catalog = await run();
    await catalog.observeHome({ [TITLE]: { name: 'Foo' }, [NAMESAKE]: { name: 'FOO' } });
    await observeTwoPasses(catalog, NAMESAKE);
    const displayName = `FOO (${NAMESAKE})`;
    expect(await gameNames(catalog, NAMESAKE)).toEqual(Array.from({ length: 7 }, () => displayName));
    expect(await get(catalog, operations.listChanges.path, { titleId: NAMESAKE })).toMatchObject({ total: 1 });
    expect(await get(catalog, operations.listChanges.path, { titleId: TITLE })).toMatchObject({ total: 0 });
  });

  it('boards of a title appear once the title gets a name', async () => {
    const catalog = await run();
    await observeTwoPasses(catalog, TITLE);
    expect(await gameNames(catalog, TITLE)).toEqual(['']);
    await catalog.observeHome({ [TITLE]: { name: 'At last' } });
    expect(await gameNames(catalog, TITLE)).toEqual(Array.from({ length: 7 }, () => 'At last'));
  });
});

async function observeTwoPasses(catalog: RunningCatalog, titleId: string): Promise<void> {
  const [before, after] = [times([['Ember Fox', 2000]]), times([['Ember Fox', 1000]])];
  await observeBoards(catalog, { titleId, entries: before }, { titleId, hour: 1, entries: after });
}

/** The game name in the response of each route; routes that return 404 are omitted. */
async function gameNames(catalog: RunningCatalog, titleId: string): Promise<unknown[]> {
  const ofTitle = (path: string) => path.replace(':titleId', titleId).replace(':leaderboardId', '1');
  const bodies = [
    await get(catalog, ofTitle(operations.getTitleStats.path)),
    await get(catalog, ofTitle(operations.listLeaderboards.path)),
    await get(catalog, ofTitle(operations.getLeaderboard.path)),
    await get(catalog, operations.listChanges.path),
    await get(catalog, operations.searchByTime.path, { time: '0:01' }),
    await get(catalog, operations.searchByPlayers.path, { names: 'ember fox' }),
    await get(catalog, operations.searchOnePlayer.path.replace(':player', 'ember%20fox')),
  ];
  return bodies.flatMap((body) => body.gameName ?? rowsOf(body).map((row) => row.gameName ?? row.game_name));
}

interface Named {
  gameName?: string;
  game_name?: string;
}

interface Body extends Named {
  changes?: Named[];
  results?: Named[];
}

function rowsOf(body: Body): Named[] {
  return Array.isArray(body) ? (body as Named[]) : (body.changes ?? body.results ?? []);
}

async function get(catalog: RunningCatalog, path: string, query: Record<string, string> = {}): Promise<Body> {
  return (await catalog.get(`${path}?${new URLSearchParams(query).toString()}`)).body as Body;
}
