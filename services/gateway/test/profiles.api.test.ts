import { operations, type OperationResponse } from '@lobbystats/contracts';
import { HARBOR, NEWEST, network, RALLY, title, type Network } from './network.ts';
import { FOX, testUser } from './user-responses.ts';
import { runGateway } from './running-gateway.ts';

const pathOf = ({ path }: { path: string }, username = FOX) => path.replace(':username', username);
const PROFILE = pathOf(operations.getProfile);
const GAMES = pathOf(operations.getGamesPlayed);
const SCORES = pathOf(operations.getLeaderboardScores);

const UNKNOWN = 'ffff0000';

async function ask(path: string, known: Partial<Network> = {}) {
  return (await runGateway({ network: network(known) })).request(path);
}

describe('profile', () => {
  it('combines the user from user-api, game names and leaderboard standings', async () => {
    const standings = new Map([[FOX, [HARBOR.titleId, UNKNOWN]]]);
    const { status, headers, body } = await ask(PROFILE, { standings });
    expect([status, body]).toMatchObject([
      200,
      {
        username: FOX,
        achievementScore: 25,
        leaderboardPlayerName: FOX,
        usesExplicitConsoleLiveGamertag: false,
        playTime: {
          totalMinutes: 65,
          lastState: 'online',
          currentGame: 'Harbor Racing',
          byGame: { 'Harbor Racing': 60, Rally: 5 },
          lastPlayedGame: 'Rally',
          lastPlayedAt: '2027-01-15 07:55:00',
          lastPlayedTimestamp: NEWEST - 300,
          lastOnlineAt: '2027-01-15 08:00:00',
          lastSeenAt: NEWEST,
        },
        leaderboardStats: { leaderboardsOn: 2, top10Count: 0 },
      },
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'Accept-Encoding',
      'last-modified': new Date(NEWEST * 1000).toUTCString(),
    });
  });

  it('has its keys in the order of the contract', async () => {
    const { text } = await ask(PROFILE);
    const { response } = operations.getProfile;
    const body = JSON.parse(text) as Record<string, object>;
    expect(Object.keys(body)).toEqual(Object.keys(response.shape));
    expect(Object.keys(body['playTime']!)).toEqual(Object.keys(response.shape.playTime.shape));
    expect(Object.keys(body['leaderboardStats']!)).toEqual(Object.keys(response.shape.leaderboardStats.shape));
  });

  it('uses the linked gamertag for leaderboards', async () => {
    const standings = new Map([['Fox/64', [RALLY.titleId]]]);
    const { body } = await ask(PROFILE, { user: testUser({ linkedGamertag: 'Fox/64' }), standings });
    expect(body).toMatchObject({
      leaderboardPlayerName: 'Fox/64',
      usesExplicitConsoleLiveGamertag: true,
      leaderboardStats: { leaderboardsOn: 1 },
    });
  });

  it('names an unknown game as the feed does, else by title ID, and keeps names unique', async () => {
    const { playTime } = testUser();
    const byTitle = [HARBOR.titleId, UNKNOWN, 'ffff0001', RALLY.titleId];
    const of = (game: string) => ({
      ...playTime,
      current: { titleId: UNKNOWN, game },
      byTitle: byTitle.map((titleId, minutes) => ({ titleId, minutes })),
      lastPlayedTitleId: UNKNOWN,
    });
    const titles = [HARBOR, { ...RALLY, name: '' }];
    const named = await ask(PROFILE, { titles, user: testUser({ playTime: of('Harbor Racing') }) });
    expect(named.body).toMatchObject({
      playTime: {
        currentGame: 'Harbor Racing',
        byGame: { 'Harbor Racing': 0, [`Harbor Racing (${UNKNOWN})`]: 1, ffff0001: 2, [RALLY.titleId]: 3 },
        lastPlayedGame: 'Harbor Racing',
      },
    });
    const nameless = await ask(PROFILE, { titles, user: testUser({ playTime: of('') }) });
    expect(nameless.body).toMatchObject({ playTime: { currentGame: UNKNOWN, lastPlayedGame: UNKNOWN } });
  });

  it('accepts any game name, sorted by code point, without polluting Object.prototype', async () => {
    const names = ['b', '1942', '__proto__', 'constructor', '"},"x":{"', '</script>', '\n', '🏁', '\uffff', '10'];
    const titles = names.map((name, index) => title(`0000000${index}`, name));
    const playTime = {
      ...testUser().playTime,
      byTitle: titles.map(({ titleId }, index) => ({ titleId, minutes: index })),
      current: { titleId: titles[2]!.titleId, game: 'x' },
      lastPlayedTitleId: null,
      lastPlayedAt: null,
    };
    const { status, text } = await ask(PROFILE, { titles, user: testUser({ playTime }) });
    const [, byGame = ''] = /"byGame":(\{.*?\}),"lastPlayedGame"/s.exec(text) ?? [];
    const order = Array.from(
      byGame.matchAll(/"((?:[^"\\]|\\.)*)":\d/g),
      ([, name]) => JSON.parse(`"${name!}"`) as string,
    );
    expect([status, order]).toEqual([
      200,
      ['\n', '"},"x":{"', '10', '1942', '</script>', '__proto__', 'b', 'constructor', '\uffff', '🏁'],
    ]);
    expect(Object.entries(JSON.parse(byGame) as object).toSorted()).toEqual(
      names.map((name, index) => [name, index]).toSorted(),
    );
    expect(JSON.parse(text)).toMatchObject({ playTime: { currentGame: '__proto__', lastPlayedGame: null } });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('is the same for every spelling of a username', async () => {
    const gateway = await runGateway();
    const [first, ...others] = await Promise.all(
      [FOX, 'EMBERFOX', '%20emberfox%20'].map((username) => gateway.request(pathOf(operations.getProfile, username))),
    );
    for (const { status, text } of others) expect([status, text]).toEqual([200, first?.text]);
  });
});

describe('play time by username', () => {
  const path = `${operations.getPlayTime.path}?username=`;

  it('is that of the profile', async () => {
    const gateway = await runGateway();
    const { body: whole } = await gateway.request(pathOf(operations.getProfile, FOX));
    const { totalMinutes, byGame, lastState, currentGame } = (whole as OperationResponse<typeof operations.getProfile>)
      .playTime;
    for (const name of [FOX, 'EMBERFOX', '%20emberfox+']) {
      const { status, headers, body } = await gateway.request(path + name);
      expect([status, body]).toEqual([200, { totalMinutes, lastState, currentGame, byGame, playTimeRegistered: true }]);
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    }
  });

  it('is 400 without a valid username and 404 for an unknown one', async () => {
    const gateway = await runGateway();
    for (const query of ['', '?username=', '?username=a/b', '?username=a&username=b']) {
      expect((await gateway.request(operations.getPlayTime.path + query)).status).toBe(400);
    }
    expect((await gateway.request(`${path}nobody`)).status).toBe(404);
  });

  it('is not registered for a user that the feed has never reported', async () => {
    const playTime = { ...testUser().playTime, byTitle: [], current: null, lastOnlineAt: null };
    const { body } = await ask(path + FOX, { user: testUser({ playTime }) });
    expect(body).toMatchObject({ playTimeRegistered: false, byGame: {} });
  });
});

describe('games played', () => {
  it('are those of user-api, followed by those found only on leaderboards, by name', async () => {
    const titles = [HARBOR, RALLY, title('000000aa', 'Zebra'), title('000000bb', 'Apple', { image: '/icons/bb.png' })];
    const standings = new Map([[FOX, [HARBOR.titleId, '000000aa', UNKNOWN, '000000bb']]]);
    const played = { lastPlayedAt: '2027-01-15 07:55:00', lastPlayedTimestamp: NEWEST - 300, imageUrl: '' };
    const board = { totalMinutes: 0, lastPlayedAt: null, lastPlayedTimestamp: null, imageUrl: '' };
    const { status, headers, body } = await ask(GAMES, { titles, standings });
    expect([status, body]).toEqual([
      200,
      {
        games: [
          {
            titleId: HARBOR.titleId,
            gameName: 'Harbor Racing',
            totalMinutes: 60,
            ...played,
            lastPlayedAt: '2027-01-15 07:50:00',
            lastPlayedTimestamp: NEWEST - 600,
          },
          { titleId: RALLY.titleId, gameName: 'Rally', totalMinutes: 5, ...played },
          { titleId: '000000bb', gameName: 'Apple', ...board, imageUrl: '/icons/bb.png' },
          { titleId: '000000aa', gameName: 'Zebra', ...board },
          { titleId: UNKNOWN, gameName: UNKNOWN, ...board },
        ],
        count: 5,
        leaderboardSupplement: true,
        hasPlayTimeTracking: true,
      },
    ]);
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  });

  it('have no leaderboard supplement when leaderboards add no game', async () => {
    const { body } = await ask(GAMES, { standings: new Map([[FOX, [HARBOR.titleId]]]) });
    expect(body).toMatchObject({ count: 2, leaderboardSupplement: false });
    const none = await ask(GAMES, { user: testUser({ games: [] }) });
    expect(none.body).toEqual({ games: [], count: 0, leaderboardSupplement: false, hasPlayTimeTracking: true });
  });
});

describe('leaderboard scores', () => {
  it.each([
    [null, FOX],
    ['Fox/64', 'Fox/64'],
  ])('are those of the linked gamertag %p, else of the username', async (linkedGamertag, playerName) => {
    const standings = new Map([[playerName, [HARBOR.titleId, RALLY.titleId, UNKNOWN]]]);
    const known = { user: testUser({ linkedGamertag }), standings };
    const { status, headers, body } = await ask(`${SCORES}?limit=2`, known);
    expect([status, body]).toEqual([
      200,
      {
        playerName,
        explicitConsoleLiveGamertag: linkedGamertag,
        usingSiteUsernameFallback: linkedGamertag === null,
        scores: [expect.objectContaining({ playerName }), expect.objectContaining({ playerName })],
      },
    ]);
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  });

  it('reject an invalid limit without an upstream request', async () => {
    const gateway = await runGateway();
    const { status, body } = await gateway.request(`${SCORES}?limit=51`);
    expect([status, body]).toEqual([400, { error: 'limit must be an integer from 1 to 50' }]);
    expect(gateway.users.requests).toEqual([]);
  });
});
