import { operations, userErased, userStored } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { HARBOR, NEWEST, network, RALLY, type Network } from './network.ts';
import { cacheStatus, HIT, runCached } from './running-cache.ts';
import { runGateway } from './running-gateway.ts';
import { FOX } from './user-responses.ts';

const pathOf = (player: string) => operations.getPlayer.path.replace(':player', encodeURIComponent(player));
const GAMERTAG = 'Ember Fox';
const NO_MATCHES = { matchesHosted: 0, firstSeenAt: null, lastSeenAt: null };
const HOSTED = { matchesHosted: 3, firstSeenAt: '2027-01-14 08:00:00', lastSeenAt: '2027-01-15 08:00:00' };

async function ask(path: string, known: Partial<Network> = {}) {
  return (await runGateway({ network: network(known) })).request(path);
}

describe('player', () => {
  it('combines the account, the leaderboards and the hosted matches', async () => {
    const standings = new Map([[GAMERTAG, [HARBOR.titleId, RALLY.titleId]]]);
    const { status, headers, text, body } = await ask(pathOf(GAMERTAG), { standings });
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ name: GAMERTAG, username: FOX, leaderboardsOn: 2, top10Count: 0, ...HOSTED },
        leaderboards: [{ titleId: HARBOR.titleId, leaderboardId: 17, rank: 1, rating: '00:49.300' }, {}],
      },
    ]);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(operations.getPlayer.response.shape));
    expect(headers['last-modified']).toBe(new Date(NEWEST * 1000).toUTCString());
  });

  it.each([
    ['is on a leaderboard', 'Grey Owl', { username: null, leaderboardsOn: 1, ...NO_MATCHES }],
    ['hosts matches', 'Host', { username: null, leaderboardsOn: 0, ...HOSTED }],
    ['is a gamertag', GAMERTAG, { username: FOX, leaderboardsOn: 0 }],
  ])('is found by a name that only %s', async (_where, name, expected) => {
    const standings = new Map([['Grey Owl', [HARBOR.titleId]]]);
    const { status, body } = await ask(pathOf(name), { standings });
    expect([status, body]).toMatchObject([200, { name, ...expected }]);
  });

  it('lists at most limit leaderboards, and counts all', async () => {
    const standings = new Map([['Grey Owl', [HARBOR.titleId, RALLY.titleId]]]);
    const { body } = await ask(`${pathOf('Grey Owl')}?limit=1`, { standings });
    expect(body).toMatchObject({ leaderboardsOn: 2, leaderboards: [{}] });
    const { status } = await ask(`${pathOf('Grey Owl')}?limit=501`, { standings });
    expect(status).toBe(400);
  });

  it.each(['nobody', '__proto__', '$where', "'", '<script>', '%', 'a\0b', '\u202e', 'x'.repeat(200), ' '])(
    'that no service knows is 404: %j',
    async (name) => {
      const { status, body } = await ask(pathOf(name));
      expect([status, body]).toEqual([404, { error: 'Unknown player' }]);
    },
  );

  it.each(['series', 'catalog', 'users'] as const)('is 503 while %s is down, never a part', async (upstream) => {
    const gateway = await runGateway({ network: network() });
    await gateway[upstream].stop();
    expect(await gateway.request(pathOf(GAMERTAG))).toMatchObject({ status: 503 });
  });

  it('is refetched when a user is new or has another gamertag', async () => {
    const gateway = await runCached();
    await gateway.request(pathOf(GAMERTAG));
    expect(await cacheStatus(gateway, pathOf(GAMERTAG))).toBe(HIT);
    gateway.network.user = { ...gateway.network.user, username: 'Marlow' };
    await gateway.bus.publish(userStored, { revision: 2, users: [{ username: 'Other', gamertag: 'Other' }] });
    await eventually(async () => {
      expect((await gateway.request(pathOf(GAMERTAG))).body).toMatchObject({ username: 'Marlow' });
    });
  });

  it('is purged when a user is erased, even while an upstream is down', async () => {
    const gateway = await runCached();
    await gateway.request(pathOf(GAMERTAG));
    await gateway.users.stop();
    await gateway.bus.publish(userErased, { username: FOX, gamertag: GAMERTAG });
    await eventually(async () => expect((await gateway.request(pathOf(GAMERTAG))).status).toBe(503));
  });
});
