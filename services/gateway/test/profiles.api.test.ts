import { operations } from '@lobbystats/contracts';
import { HARBOR, NEWEST, network, RALLY, title, type Network } from './network.ts';
import { FOX, person } from './people-answers.ts';
import { runGateway } from './running-gateway.ts';

const pathOf = ({ path }: { path: string }, username = FOX) => path.replace(':username', username);
const PROFILE = pathOf(operations.getProfile);
const GAMES = pathOf(operations.getGamesPlayed);
const SCORES = pathOf(operations.getLeaderboardScores);

const UNKNOWN = 'ffff0000';

async function ask(path: string, known: Partial<Network> = {}) {
  return (await runGateway({ known: network(known) })).ask(path);
}

describe('a profile', () => {
  it('is what user-api says of a person, with games by name, and where they stand', async () => {
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
          lastOnlineAt: '2027-01-15 08:00:00',
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
    const { answer } = operations.getProfile;
    const body = JSON.parse(text) as Record<string, object>;
    expect(Object.keys(body)).toEqual(Object.keys(answer.shape));
    expect(Object.keys(body['playTime']!)).toEqual(Object.keys(answer.shape.playTime.shape));
    expect(Object.keys(body['leaderboardStats']!)).toEqual(Object.keys(answer.shape.leaderboardStats.shape));
  });

  it('goes by the linked gamertag on boards', async () => {
    const standings = new Map([['Fox/64', [RALLY.titleId]]]);
    const { body } = await ask(PROFILE, { person: person({ linkedGamertag: 'Fox/64' }), standings });
    expect(body).toMatchObject({
      leaderboardPlayerName: 'Fox/64',
      usesExplicitConsoleLiveGamertag: true,
      leaderboardStats: { leaderboardsOn: 1 },
    });
  });

  it('calls a game that nobody knows as the feed does, else by its ID, and never two alike', async () => {
    const { playTime } = person();
    const byTitle = [HARBOR.titleId, UNKNOWN, 'ffff0001', RALLY.titleId];
    const of = (game: string) => ({
      ...playTime,
      current: { titleId: UNKNOWN, game },
      byTitle: byTitle.map((titleId, minutes) => ({ titleId, minutes })),
      lastPlayedTitleId: UNKNOWN,
    });
    const titles = [HARBOR, { ...RALLY, name: '' }];
    const named = await ask(PROFILE, { titles, person: person({ playTime: of('Harbor Racing') }) });
    expect(named.body).toMatchObject({
      playTime: {
        currentGame: 'Harbor Racing',
        byGame: { 'Harbor Racing': 0, [`Harbor Racing (${UNKNOWN})`]: 1, ffff0001: 2, [RALLY.titleId]: 3 },
        lastPlayedGame: 'Harbor Racing',
      },
    });
    const nameless = await ask(PROFILE, { titles, person: person({ playTime: of('') }) });
    expect(nameless.body).toMatchObject({ playTime: { currentGame: UNKNOWN, lastPlayedGame: UNKNOWN } });
  });

  it('holds whatever a game is called, by code points, and nothing else changes by it', async () => {
    const names = ['b', '1942', '__proto__', 'constructor', '"},"x":{"', '</script>', '\n', '🏁', '\uffff', '10'];
    const titles = names.map((name, index) => title(`0000000${index}`, name));
    const playTime = {
      ...person().playTime,
      byTitle: titles.map(({ titleId }, index) => ({ titleId, minutes: index })),
      current: { titleId: titles[2]!.titleId, game: 'x' },
      lastPlayedTitleId: null,
      lastPlayedAt: null,
    };
    const { status, text } = await ask(PROFILE, { titles, person: person({ playTime }) });
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
      [FOX, 'EMBERFOX', '%20emberfox%20'].map((username) => gateway.ask(pathOf(operations.getProfile, username))),
    );
    for (const { status, text } of others) expect([status, text]).toEqual([200, first?.text]);
  });
});

describe('games played', () => {
  it('are those of user-api, then by name those of boards alone', async () => {
    const titles = [HARBOR, RALLY, title('000000aa', 'Zebra'), title('000000bb', 'Apple', { image: '/icons/bb.png' })];
    const standings = new Map([[FOX, [HARBOR.titleId, '000000aa', UNKNOWN, '000000bb']]]);
    const played = { lastPlayedAt: '2027-01-15 07:55:00', imageUrl: '' };
    const board = { totalMinutes: 0, lastPlayedAt: null, imageUrl: '' };
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
    expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
  });

  it('have no supplement where the boards have nothing more', async () => {
    const { body } = await ask(GAMES, { standings: new Map([[FOX, [HARBOR.titleId]]]) });
    expect(body).toMatchObject({ count: 2, leaderboardSupplement: false });
    const none = await ask(GAMES, { person: person({ games: [] }) });
    expect(none.body).toEqual({ games: [], count: 0, leaderboardSupplement: false, hasPlayTimeTracking: true });
  });
});

describe('leaderboard scores', () => {
  it.each([
    [null, FOX],
    ['Fox/64', 'Fox/64'],
  ])('are those of the linked gamertag %p, else of the username', async (linkedGamertag, playerName) => {
    const standings = new Map([[playerName, [HARBOR.titleId, RALLY.titleId, UNKNOWN]]]);
    const known = { person: person({ linkedGamertag }), standings };
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

  it('refuse a limit, and ask nobody', async () => {
    const gateway = await runGateway();
    const { status, body } = await gateway.ask(`${SCORES}?limit=51`);
    expect([status, body]).toEqual([400, { error: 'limit must be an integer from 1 to 50' }]);
    expect(gateway.users.seen).toEqual([]);
  });
});
