import { playerRanked, userAllowed, userErased, userStored } from '@lobbystats/contracts';
import { observeBoards, scores, times, TITLE } from './board-passes.ts';
import { catalogFixture, waitUntil, type RunningCatalog } from './running-catalog.ts';

const { run } = catalogFixture();

/** Publishes users like user-api. */
async function publishUsers(
  catalog: RunningCatalog,
  revision: number,
  gamertags: Record<string, string>,
): Promise<void> {
  const users = Object.entries(gamertags).map(([username, gamertag]) => ({ username, gamertag }));
  await catalog.bus.publish(userStored, { revision, users });
  await waitUntil(async () => (await catalog.bus.depth('catalog-api')) === 0);
}

/** Published ranks in order: `Fox 1:2` is rank 2 on board 1. */
function publishedRanks(catalog: RunningCatalog): string[] {
  return catalog
    .published(playerRanked)
    .flatMap(({ data }) => data.ranks.map((one) => `${one.gamertag} ${one.leaderboardId}:${String(one.rank)}`));
}

describe('ranks of tracked players', () => {
  it('publishes the best rank of a new user on each board', async () => {
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
    await publishUsers(catalog, 1, { emberfox: 'Fox', nobody: '' });
    await waitUntil(() => publishedRanks(catalog).length === 2);
    expect(publishedRanks(catalog)).toEqual(['Fox 1:1', 'Fox 2:2']);
    expect(catalog.published(playerRanked)[0]?.data.ranks[0]).toEqual({
      gamertag: 'Fox',
      titleId: TITLE,
      leaderboardId: 1,
      rank: 1,
    });
    expect(catalog.published(playerRanked).map(({ past }) => past)).not.toContain(false);
  });

  it('publishes ranks of a leaderboard that becomes known as past, and those that move later as news', async () => {
    const catalog = await run();
    await publishUsers(catalog, 1, { emberfox: 'Fox' });
    const entries = (time: number) => times([['Fox', time]]);
    await observeBoards(
      catalog,
      { entries: times([['Owl', 900]]) },
      { hour: 1, entries: entries(800) },
      { leaderboardId: 2, hour: 1, entries: entries(800) },
    );
    await waitUntil(() => publishedRanks(catalog).length === 2);
    const pasts = catalog
      .published(playerRanked)
      .flatMap(({ past, data }) => data.ranks.map(({ leaderboardId }) => [leaderboardId, past]));
    expect(pasts.toSorted()).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it('publishes each rank that appears, moves or disappears, even if the entry is unchanged', async () => {
    const catalog = await run();
    await publishUsers(catalog, 1, { emberfox: 'Fox' });
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
    await waitUntil(() => publishedRanks(catalog).length === 7);
    expect(publishedRanks(catalog)).toEqual([
      ...['Fox 1:2', 'Fox 1:3', 'Fox 1:null', 'Fox 1:1', 'Fox 1:null', 'Fox 1:1', 'Fox 1:null'],
    ]);
    const revisions = catalog.published(playerRanked).map(({ data }) => data.revision);
    expect([...new Set(revisions)].sort((a, b) => a - b)).toEqual(revisions);
  });

  it('publishes ranks again for each newer user message, and ignores older messages', async () => {
    const catalog = await run();
    await observeBoards(catalog, {
      entries: times([
        ['Fox', 1000],
        ['Owl', 2000],
      ]),
    });
    await publishUsers(catalog, 1, { emberfox: 'Fox' });
    await publishUsers(catalog, 2, { EmberFox: 'FOX' });
    await publishUsers(catalog, 3, { emberfox: 'Owl' });
    // Late: an older revision.
    await publishUsers(catalog, 2, { emberfox: 'Fox' });
    await observeBoards(catalog, {
      hour: 1,
      entries: times([
        ['Elk', 500],
        ['Fox', 1000],
        ['Owl', 2000],
      ]),
    });
    await waitUntil(() => publishedRanks(catalog).length === 4);
    expect(publishedRanks(catalog)).toEqual(['Fox 1:1', 'FOX 1:1', 'Owl 1:2', 'Owl 1:3']);
  });

  it('publishes no ranks of an erased user, even after late user messages', async () => {
    const catalog = await run();
    await publishUsers(catalog, 1, { emberfox: 'Fox', owl: 'Owl' });
    await catalog.bus.publish(userErased, { username: 'EmberFox', gamertag: 'Fox' });
    await waitUntil(async () => (await catalog.bus.depth('catalog-api')) === 0);
    // Late and repeated messages must not store the user again.
    await publishUsers(catalog, 1, { EmberFox: 'Fox' });
    await publishUsers(catalog, 2, { emberfox: 'Fox' });
    await observeBoards(catalog, {
      entries: times([
        ['Fox', 1000],
        ['Owl', 2000],
      ]),
    });
    await waitUntil(() => publishedRanks(catalog).length === 1);
    expect(publishedRanks(catalog)).toEqual(['Owl 1:2']);
    await catalog.bus.publish(userAllowed, { username: 'EmberFox' });
    await waitUntil(async () => (await catalog.bus.depth('catalog-api')) === 0);
    await publishUsers(catalog, 3, { EmberFox: 'Fox' });
    await waitUntil(() => publishedRanks(catalog).length === 2);
    expect(publishedRanks(catalog)).toEqual(['Owl 1:2', 'Fox 1:1']);
  });
});

describe('a user who is retired', () => {
  it('is tracked again once known again, and a newer message about the user wins', async () => {
    const catalog = await run();
    await publishUsers(catalog, 1, { EmberFox: 'Fox', Wren: '' });
    await publishUsers(catalog, 3, { Marlow: 'Owl' });
    await catalog.bus.publish(userStored, { revision: 2, users: [], retired: ['emberfox', 'Marlow', 'Nobody'] });
    await observeBoards(catalog, {
      entries: times([
        ['Fox', 1000],
        ['Owl', 2000],
      ]),
    });
    await waitUntil(() => publishedRanks(catalog).length === 1);
    expect(publishedRanks(catalog)).toEqual(['Owl 1:2']);
    await publishUsers(catalog, 4, { EmberFox: 'Fox' });
    await waitUntil(() => publishedRanks(catalog).length === 2);
    expect(publishedRanks(catalog)).toEqual(['Owl 1:2', 'Fox 1:1']);
  });
});

describe('player standing and scores', () => {
  it('returns the number of boards of a player, and scores with the best rank first', async () => {
    const catalog = await run();
    await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
    const others = Array.from({ length: 11 }, (_, i) => [`P${i}`, 100 + i] as const);
    await observeBoards(
      catalog,
      { entries: times([...others, ['Fox', 5000]]) },
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
