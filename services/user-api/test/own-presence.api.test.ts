import { operations, playersObserved, titleStored, type OperationResponse } from '@lobbystats/contracts';
import { eventually, serveRaw } from '@lobbystats/test-kit';
import { pathOf, runUserApi, sessionKeyOf, type RunningUserApi, type UserProfile } from './running-user-api.ts';

const PATH = operations.getOwnPresence.path;
const SLOT_MS = 300_000;
const RACING = '4d530064';

const ask = async (users: RunningUserApi, sent: object, as: string | null = null) => {
  const { status, body } = await users.send(PATH, sent, { as });
  return [status, body];
};

describe('own presence that the network tells', () => {
  it('is online with the game, then offline, for a session in the body or the header', async () => {
    const users = await runUserApi();
    const key = sessionKeyOf('emberfox');
    await users.observe({});
    expect(await ask(users, { sessionKey: key })).toEqual([200, { isOnline: true, game: 'Harbor Racing' }]);
    expect(await ask(users, {}, 'EmberFox')).toEqual([200, { isOnline: true, game: 'Harbor Racing' }]);
    users.clock.nowMs += 3_600_000;
    expect(await ask(users, { sessionKey: key })).toEqual([200, { isOnline: false, game: null }]);
  });

  it('is offline for an unknown caller, and needs a valid session', async () => {
    const users = await runUserApi();
    expect(await ask(users, { sessionKey: sessionKeyOf('Nobody') })).toEqual([200, { isOnline: false, game: null }]);
    expect(await ask(users, {})).toEqual([400, { error: 'sessionKey is required' }]);
    expect(await ask(users, { sessionKey: 'wrong' })).toEqual([401, { error: 'Invalid session' }]);
  });

  it('has the name of the game of a host, whose sighting has its title alone', async () => {
    const users = await runUserApi();
    await nameTitle(users);
    await users.observe({ game: null });
    expect(await ask(users, {}, 'EmberFox')).toEqual([200, { isOnline: true, game: 'Harbor Racing' }]);
  });
});

/** An auth service that tells this of each of its users, and the keys that it was asked with. */
const authService = async (answer: { status?: number; body: unknown }) => {
  const keys: unknown[] = [];
  const url = await serveRaw((req, res) => {
    keys.push(req.method === 'GET' && req.url === '/api/auth/profile' ? req.headers['x-session-key'] : req.url);
    res.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json' });
    res.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  return { keys, users: await runUserApi({ env: { AUTH_URL: url } }) };
};

const nameTitle = async (users: RunningUserApi) => {
  const title = { titleId: RACING, name: 'Harbor Racing', title: '', image: '', publisher: '', releaseDate: '' };
  await users.bus.publish(titleStored, { revision: 1, titles: [{ ...title, productCode: '' }] });
  await eventually(async () => expect(await users.bus.depth('user-api')).toBe(0));
};

const playTimeOf = async (users: RunningUserApi): Promise<UserProfile['playTime']> =>
  (await users.get<UserProfile>(pathOf(operations.getUserProfile, 'EmberFox'))).body.playTime;

describe('own presence that the auth service tells', () => {
  it('earns play time once a slot, and asks once a slot, with the key of the caller', async () => {
    const { keys, users } = await authService({ body: { isOnline: true, status: 'online', game: 'harbor racing' } });
    await nameTitle(users);
    const online = [200, { isOnline: true, game: 'harbor racing' }];
    for (let slot = 1; slot <= 3; slot += 1) {
      for (let call = 0; call < 3; call += 1) expect(await ask(users, {}, 'EmberFox')).toEqual(online);
      expect(await playTimeOf(users)).toMatchObject({ totalMinutes: 5 * slot, byTitle: [{ titleId: RACING }] });
      users.clock.nowMs += SLOT_MS;
    }
    expect(keys).toEqual(Array.from({ length: 3 }, () => sessionKeyOf('EmberFox')));
    expect(users.logged.join()).not.toContain(sessionKeyOf('EmberFox'));
  });

  it('is not asked for in a slot in which the network has shown the user', async () => {
    const { keys, users } = await authService({ body: { isOnline: false } });
    await users.observe({});
    expect(await ask(users, {}, 'EmberFox')).toEqual([200, { isOnline: true, game: 'Harbor Racing' }]);
    expect(keys).toEqual([]);
  });

  it('ends a presence, and the last time online stays that of the last sighting', async () => {
    const answer = { body: { isOnline: true, game: 'Harbor Racing' } };
    const { users } = await authService(answer);
    await nameTitle(users);
    await ask(users, {}, 'EmberFox');
    users.clock.nowMs += SLOT_MS;
    answer.body = { isOnline: false, game: 'Harbor Racing' };
    for (let call = 0; call < 2; call += 1) {
      expect(await ask(users, {}, 'EmberFox')).toEqual([200, { isOnline: false, game: null }]);
    }
    const lastOnlineAt = '2027-01-15 08:00:00';
    expect(await playTimeOf(users)).toMatchObject({ lastState: 'offline', totalMinutes: 5, lastOnlineAt });
  });

  it('earns nothing in no game, or in one that no title has', async () => {
    for (const game of [null, 'Somewhere else']) {
      const { users } = await authService({ body: { isOnline: true, game } });
      await nameTitle(users);
      for (let call = 0; call < 2; call += 1) {
        expect(await ask(users, {}, 'EmberFox')).toEqual([200, { isOnline: true, game }]);
      }
      expect(await playTimeOf(users)).toMatchObject({ lastState: 'online', totalMinutes: 0 });
    }
  });

  it.each([
    { status: 401, body: { error: 'Invalid or expired session' } },
    { status: 404, body: 'Not Found' },
    { status: 200, body: '<html>' },
    { status: 200, body: { isOnline: 'yes' } },
    { status: 200, body: { isOnline: true, game: 'x'.repeat(2000) } },
  ])('is what is known already when the answer can not be used: %j', async (answer) => {
    const { keys, users } = await authService(answer);
    await users.observe({});
    users.clock.nowMs += SLOT_MS;
    for (let call = 0; call < 2; call += 1) {
      expect(await ask(users, {}, 'EmberFox')).toEqual([200, { isOnline: true, game: 'Harbor Racing' }]);
    }
    expect(keys).toHaveLength(1);
    expect(await playTimeOf(users)).toMatchObject({ totalMinutes: 5 });
  });

  it('gives way to a sighting of the network in the same slot, which has the gamertag', async () => {
    const { users } = await authService({ body: { isOnline: true, game: 'Harbor Racing' } });
    await nameTitle(users);
    await ask(users, {}, 'emberfox');
    const lastSeenAt = '2027-01-15T08:00:00Z';
    const host = { username: 'EmberFox', gamertag: 'EmberFox', verified: false, isOnline: true, lastSeenAt };
    await users.bus.publish(playersObserved, {
      seenAt: lastSeenAt,
      players: [{ ...host, titleId: RACING, game: null }],
    });
    await eventually(async () => expect(await users.bus.depth('user-api')).toBe(0));
    const { path } = operations.getGamertagUser;
    const { body } = await users.get<OperationResponse<typeof operations.getGamertagUser>>(
      path.replace(':player', 'EMBERFOX'),
    );
    expect(body).toEqual({ username: 'EmberFox', gamertag: 'EmberFox' });
    expect(await playTimeOf(users)).toMatchObject({ totalMinutes: 5 });
  });

  it('is offline for an erased caller, who is not observed', async () => {
    const { keys, users } = await authService({ body: { isOnline: true, game: 'Harbor Racing' } });
    await users.observe({ lastSeenAt: '2027-01-15T07:00:00Z' });
    const erase = async (query: string) => {
      const headers = { 'X-Session-Key': sessionKeyOf('EmberFox') };
      const response = await fetch(`${users.url}${operations.eraseMe.path}${query}`, { method: 'DELETE', headers });
      return (await response.json()) as { confirmation: string };
    };
    const { confirmation } = await erase('');
    await erase(`?confirmation=${confirmation}`);
    expect(await ask(users, {}, 'EmberFox')).toEqual([200, { isOnline: false, game: null }]);
    expect(keys).toEqual([]);
  });
});
