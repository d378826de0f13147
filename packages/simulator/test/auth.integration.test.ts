import { createSimulator, type Account, type World } from '../src/index.ts';
import { NOW_SLOT, withSimulator, type RunningSimulator } from './running-simulator.ts';

/** All accounts, from the control API. */
async function fetchAccounts({ json }: RunningSimulator): Promise<[Account, ...Account[]]> {
  return json('/simulator/accounts');
}

/** Calls the auth service with a body; a string is sent unchanged. */
function post({ url }: RunningSimulator, call: string, body: unknown): Promise<Response> {
  return fetch(`${url}/api/auth/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Logs in and returns the session key. */
async function logIn(simulator: RunningSimulator, { email, password }: Account): Promise<string> {
  const { sessionKey } = (await (await post(simulator, 'login', { email, password })).json()) as { sessionKey: string };
  return sessionKey;
}

const SMALL = { titles: 25, openMatches: 20, boards: 10, entries: 100 };
const DAY = 86_400;

describe('accounts', () => {
  it('the control API lists accounts of frequent players and one that is never online', async () => {
    await withSimulator(SMALL, async ({ json, world }) => {
      const accounts = await json<Account[]>('/simulator/accounts');
      expect(accounts.length).toBeGreaterThan(3);
      for (const account of accounts) expect(Object.keys(account)).toEqual(['email', 'password', 'username']);
      expect(new Set(accounts.flatMap(({ email, password }) => [email, password])).size).toBe(2 * accounts.length);
      const week = [1, 2, 3, 4, 5, 6, 7].map((back) => new Set(usernamesOn(world, NOW_SLOT - back * DAY)));
      const days = accounts.map(({ username }) => week.filter((day) => day.has(username)).length);
      expect(days).toEqual([...accounts.slice(1).map(() => 7), 0]);
    });
  });

  it('are the same after a restart and differ with another seed', () => {
    const { accounts } = createSimulator(SMALL);
    expect(createSimulator(SMALL).accounts).toEqual(accounts);
    expect(createSimulator({ ...SMALL, seed: 2 }).accounts[0]?.password).not.toBe(accounts[0]?.password);
  });

  it('exist in a network without matches', () => {
    const { accounts } = createSimulator({ titles: 1, openMatches: 0, players: 1 });
    expect(accounts.length).toBeGreaterThan(1);
  });

  it('belong to players on leaderboards of the default network', () => {
    const { accounts, world } = createSimulator();
    const names = new Set<string>();
    for (const { titleId, id } of world.boardKeysAt(NOW_SLOT).slice(0, 600)) {
      for (const { name } of world.board(NOW_SLOT, titleId, id)?.entries ?? []) names.add(name);
    }
    const players = accounts.flatMap(({ player }) => (player === undefined ? [] : [player]));
    expect(players.filter((player) => names.has(world.userOf(player).gamertag))).toEqual(players);
  });
});

describe('auth service', () => {
  it('logs in, verifies a session, returns its user, and logs out', async () => {
    await withSimulator(SMALL, async (simulator) => {
      const [{ email, password, username }] = await fetchAccounts(simulator);
      const login = await post(simulator, 'login', { email: ` ${email.toUpperCase()} `, password });
      const { sessionKey, ...rest } = (await login.json()) as { sessionKey: string };
      expect([login.status, rest]).toEqual([200, { success: true, username, email }]);
      expect(sessionKey).toMatch(/^[\w-]{32}$/);

      const verify = await post(simulator, 'verify', { sessionKey });
      expect([verify.status, await verify.json()]).toEqual([200, { valid: true, username, email }]);
      const user = { username, email, sessionKey };
      expect(await (await simulator.get('/api/auth/user', { 'x-session-key': sessionKey })).json()).toEqual(user);
      expect(await simulator.json(`/api/auth/user?sessionKey=${sessionKey}`)).toEqual(user);

      const logout = await post(simulator, 'logout', { sessionKey });
      expect([logout.status, await logout.json()]).toEqual([200, { success: true }]);
      const verification = await post(simulator, 'verify', { sessionKey });
      expect([verification.status, await verification.json()]).toEqual([
        401,
        { valid: false, error: expect.any(String) },
      ]);
      expect((await post(simulator, 'logout', { sessionKey })).status).toBe(200);
    });
  });

  it('each login has its own session key', async () => {
    await withSimulator(SMALL, async (simulator) => {
      const [account] = await fetchAccounts(simulator);
      const [one, other] = [await logIn(simulator, account), await logIn(simulator, account)];
      expect(one).not.toBe(other);
      await post(simulator, 'logout', { sessionKey: one });
      expect((await post(simulator, 'verify', { sessionKey: other })).status).toBe(200);
    });
  });

  it('rejects wrong credentials, unknown session keys and malformed bodies', async () => {
    await withSimulator(SMALL, async (simulator) => {
      const [{ email, password }] = await fetchAccounts(simulator);
      for (const [call, body, status] of [
        ['login', { email, password: 'wrong' }, 401],
        ['login', { email: '__proto__', password }, 401],
        ['login', { email }, 400],
        ['login', { email: { $gt: '' }, password }, 400],
        ['login', [], 400],
        ['login', '{"email"', 400],
        ['login', `"${'x'.repeat(20_000)}"`, 413],
        ['logout', {}, 400],
        ['verify', { sessionKey: 'constructor' }, 401],
        ['verify', { sessionKey: ['x'] }, 400],
        ['verify', {}, 400],
        ['verify', 'null', 400],
        ['nothing', {}, 404],
        ['user', {}, 405],
      ] as const) {
        const response = await post(simulator, call, body);
        expect([call, body, response.status]).toEqual([call, body, status]);
        const answer = (await response.json()) as object;
        expect(answer).toEqual({ ...('valid' in answer && { valid: false }), error: expect.any(String) });
      }
      for (const path of ['user', 'user?sessionKey=x', 'friends', 'games', 'profile']) {
        const response = await simulator.get(`/api/auth/${path}`, { 'x-session-key': 'toString' });
        expect([path, response.status, await response.json()]).toEqual([path, 401, { error: expect.any(String) }]);
      }
      expect((await simulator.get('/api/auth/login')).headers.get('allow')).toBe('POST');
    });
  });

  it('allows cross-origin requests from any origin', async () => {
    await withSimulator(SMALL, async ({ url, get }) => {
      for (const path of ['login', 'friends', 'refresh/profile']) {
        const preflight = await fetch(`${url}/api/auth/${path}`, {
          method: 'OPTIONS',
          headers: {
            origin: 'http://127.0.0.1:8080',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type,x-session-key',
          },
        });
        expect(preflight.status).toBe(204);
        expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
        expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type, X-Session-Key');
        expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
      }
      expect((await get('/api/auth/user')).headers.get('access-control-allow-origin')).toBe('*');
    });
  });

  it('applies faults of its own paths, and none that are set for pages', async () => {
    await withSimulator(SMALL, async (simulator) => {
      const [account] = await fetchAccounts(simulator);
      const sessionKey = await logIn(simulator, account);
      const verify = () => post(simulator, 'verify', { sessionKey });
      await simulator.faults({ path: '*', kind: 'status' });
      expect((await verify()).status).toBe(200);
      await simulator.faults({ path: '/api/auth/verify', kind: 'status', status: 503, retryAfter: 7 });
      const out = await verify();
      expect([out.status, out.headers.get('retry-after')]).toEqual([503, '7']);
      expect(await out.json()).toEqual({ error: expect.any(String) });
      await simulator.faults({ path: '/api/auth', kind: 'content-type' });
      expect((await verify()).headers.get('content-type')).not.toContain('json');
      await simulator.faults({ path: '/api/auth', kind: 'truncate', ends: 'cleanly' });
      await expect((await verify()).json()).rejects.toThrow();
      await simulator.faults({ path: '/api/auth', kind: 'truncate', ends: 'abruptly' });
      await expect(verify().then((response) => response.text())).rejects.toThrow();
      await simulator.faults({ path: '/api/auth', kind: 'close' });
      await expect(verify()).rejects.toThrow();
      await simulator.faults({ path: '/api/auth', kind: 'stall', ms: 20 });
      await expect(verify()).rejects.toThrow();
    });
  });

  it('logs neither session keys nor passwords', async () => {
    const lines: string[] = [];
    await withSimulator({ ...SMALL, log: (line) => lines.push(line) }, async (simulator) => {
      const [account] = await fetchAccounts(simulator);
      const sessionKey = await logIn(simulator, account);
      await simulator.get(`/api/auth/user?sessionKey=${sessionKey}`);
      await post(simulator, 'verify', `{"sessionKey":"${sessionKey}`);
      const output = lines.join('\n') + (await simulator.text('/simulator/requests'));
      expect(output).not.toContain(sessionKey);
      expect(output).not.toContain(account.password);
    });
  });
});

function usernamesOn(world: World, instant: number): string[] {
  return [...world.playersOfDay(instant)].map(({ player }) => world.userOf(player).username);
}
