import { playerRanked, userForgotten, userStored } from '@lobbystats/contracts';
import { observeBoards, scores, times, TITLE } from './board-passes.ts';
import { catalogsOfOneTest, until, type RunningCatalog } from './running-catalog.ts';

const { run } = catalogsOfOneTest();

/** What user-api would say. */
async function tell(catalog: RunningCatalog, revision: number, people: Record<string, string>): Promise<void> {
  const users = Object.entries(people).map(([username, gamertag]) => ({ username, gamertag }));
  await catalog.bus.publish(userStored, { revision, users });
  await until(async () => (await catalog.bus.depth('catalog-api')) === 0);
}

/** What was said of ranks, in its order: `Fox 1:2` is the second place on board 1. */
function ranks(catalog: RunningCatalog): string[] {
  return catalog
    .said(playerRanked)
    .flatMap(({ data }) => data.ranks.map((one) => `${one.gamertag} ${one.leaderboardId}:${String(one.rank)}`));
}

describe('a known player', () => {
  it('is answered with all standing ranks, the best of each board', async () => {
    const catalog = await run();
    await observeBoards(
      catalog,
      {
        entries: times([
          ['Fox', 1000],
          ['Owl', 2000],
          ['FOX', 3000],
        ]),
      },
      {
        leaderboardId: 2,
        isTime: false,
        entries: scores([
          ['Owl', '9'],
          ['fox', '5'],
        ]),
      },
    );
    await tell(catalog, 1, { emberfox: 'Fox', nobody: '' });
    await until(() => ranks(catalog).length === 2);
    expect(ranks(catalog)).toEqual(['Fox 1:1', 'Fox 2:2']);
    expect(catalog.said(playerRanked)[0]?.data.ranks[0]).toEqual({
      gamertag: 'Fox',
      titleId: TITLE,
      leaderboardId: 1,
      rank: 1,
    });
  });

  it('is told of whenever a rank moves, comes or goes, their own entry unchanged or not', async () => {
    const catalog = await run();
    await tell(catalog, 1, { emberfox: 'Fox' });
    await observeBoards(
      catalog,
      {
        entries: times([
          ['Owl', 2000],
          ['Fox', 3000],
        ]),
      },
      {
        hour: 1,
        entries: times([
          ['Elk', 1000],
          ['Owl', 2000],
          ['Fox', 3000],
        ]),
      },
      {
        hour: 2,
        entries: times([
          ['Elk', 900],
          ['Owl', 2000],
          ['Fox', 3000],
        ]),
      },
      { hour: 3, entries: times([['Elk', 900]]) },
      {
        hour: 4,
        entries: times([
          ['Fox', 100],
          ['Elk', 900],
        ]),
      },
      { hour: 5, entries: null },
      {
        hour: 6,
        entries: times([
          ['Fox', 100],
          ['Elk', 900],
        ]),
      },
      { hour: 7, isTime: false, entries: scores([['Elk', '9']]) },
    );
    await until(() => ranks(catalog).length === 7);
    expect(ranks(catalog)).toEqual([
      ...['Fox 1:2', 'Fox 1:3', 'Fox 1:null', 'Fox 1:1', 'Fox 1:null', 'Fox 1:1', 'Fox 1:null'],
    ]);
    const revisions = catalog.said(playerRanked).map(({ data }) => data.revision);
    expect([...new Set(revisions)].sort((a, b) => a - b)).toEqual(revisions);
  });

  it('is told of anew with each new word of them, and not for a word that is over', async () => {
    const catalog = await run();
    await observeBoards(catalog, {
      entries: times([
        ['Fox', 1000],
        ['Owl', 2000],
      ]),
    });
    await tell(catalog, 1, { emberfox: 'Fox' });
    await tell(catalog, 2, { EmberFox: 'FOX' });
    await tell(catalog, 3, { emberfox: 'Owl' });
    // Late: what it says is over.
    await tell(catalog, 2, { emberfox: 'Fox' });
    await observeBoards(catalog, {
      hour: 1,
      entries: times([
        ['Elk', 500],
        ['Fox', 1000],
        ['Owl', 2000],
      ]),
    });
    await until(() => ranks(catalog).length === 4);
    expect(ranks(catalog)).toEqual(['Fox 1:1', 'FOX 1:1', 'Owl 1:2', 'Owl 1:3']);
  });

  it('who was forgotten is told of no more', async () => {
    const catalog = await run();
    await tell(catalog, 1, { emberfox: 'Fox', owl: 'Owl' });
    await catalog.bus.publish(userForgotten, { username: 'EmberFox', gamertag: 'Fox' });
    await until(async () => (await catalog.bus.depth('catalog-api')) === 0);
    // Late, or said again: nothing of them is kept anew.
    await tell(catalog, 1, { EmberFox: 'Fox' });
    await tell(catalog, 2, { emberfox: 'Fox' });
    await observeBoards(catalog, {
      entries: times([
        ['Fox', 1000],
        ['Owl', 2000],
      ]),
    });
    await until(() => ranks(catalog).length === 1);
    expect(ranks(catalog)).toEqual(['Owl 1:2']);
  });
});

describe('what profiles need of boards', () => {
  it('is how many boards a player is on, and their scores, best rank first', async () => {
    const catalog = await run();
    await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
    const crowd = Array.from({ length: 11 }, (_, i) => [`P${i}`, 100 + i] as const);
    await observeBoards(
      catalog,
      { entries: times([...crowd, ['Fox', 5000]]) },
      {
        leaderboardId: 2,
        isTime: false,
        entries: scores([
          ['Owl', '9'],
          ['fox', '5'],
          ['Fox', '4'],
        ]),
      },
      { leaderboardId: 3, entries: times([['Fox', 1000]]) },
    );
    const standing = await catalog.get('/internal/player/FOX/standing');
    expect(standing.body).toEqual({ leaderboardsOn: 3, top10Count: 2, titleIds: [TITLE] });
    const { body } = await catalog.get('/internal/player/fox/scores?limit=3');
    expect((body as { scores: { leaderboardId: number; rank: number }[] }).scores).toMatchObject([
      { leaderboardId: 3, rank: 1, playerName: 'Fox', timeFormatted: '0:01.000', gameName: 'Harbor Racing' },
      { leaderboardId: 2, rank: 2, playerName: 'fox', rating: '5', isTime: false },
      { leaderboardId: 2, rank: 3, playerName: 'Fox' },
    ]);
    expect((await catalog.get('/internal/player/nobody/standing')).body).toEqual({
      leaderboardsOn: 0,
      top10Count: 0,
      titleIds: [],
    });
  });
});
