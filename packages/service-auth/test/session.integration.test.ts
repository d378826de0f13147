import { EMBER, startAuthService, type FakeAuthService } from './fake-auth-service.ts';
import { openPage, type Page } from './page.ts';

const USER = { username: EMBER.username, email: EMBER.email };
const login = { method: 'POST', path: '/api/auth/login', body: { email: EMBER.email, password: EMBER.password } };

let service: FakeAuthService;
let page: Page;

beforeEach(async () => {
  service = await startAuthService();
  page = openPage(service.url);
});

const stored = (key = 'service_auth') => JSON.parse(page.storage.getItem(key) ?? 'null') as unknown;
const names = () => page.events.map(([name]) => name);

describe('login', () => {
  it('signs in, stores the session and emits login', async () => {
    const auth = page.create();
    const heard: unknown[] = [];
    auth.on('login', (user) => heard.push(user));
    const before = Date.now();
    const signedIn = await auth.login(EMBER.email, EMBER.password);
    expect(signedIn).toEqual({ success: true, user: USER, sessionKey: EMBER.sessionKey });
    expect(stored()).toEqual({ sessionKey: EMBER.sessionKey, user: USER, timestamp: expect.any(Number) });
    expect((stored() as { timestamp: number }).timestamp).toBeGreaterThanOrEqual(before);
    expect(heard).toEqual([USER]);
    expect(page.events).toEqual([['service:login', USER]]);
    expect(service.requests).toMatchObject([login]);
    expect([auth.isLoggedIn(), auth.getUser(), auth.getUsername(), auth.getEmail(), auth.getSessionKey()]).toEqual([
      true,
      USER,
      EMBER.username,
      EMBER.email,
      EMBER.sessionKey,
    ]);
  });

  it('rejects with the error of the auth service, and keeps the previous session', async () => {
    const auth = page.create();
    const heard: unknown[] = [];
    auth.on('error', (error) => heard.push(error));
    const refusal = { message: 'Invalid email or password', status: 401 };
    await expect(auth.login(EMBER.email, 'wrong')).rejects.toMatchObject(refusal);
    expect(heard).toMatchObject([refusal]);
    expect(page.events).toMatchObject([['service:error', refusal]]);
    expect([auth.isLoggedIn(), stored()]).toEqual([false, null]);
    await auth.login(EMBER.email, EMBER.password);
    await expect(auth.login(EMBER.email, 'wrong')).rejects.toMatchObject(refusal);
    expect(auth.getUser()).toEqual(USER);
  });

  it.each([{}, { sessionKey: 'key' }, { username: 'EmberFox' }, { sessionKey: '', username: 'EmberFox' }, []])(
    'rejects the incomplete response %j',
    async (body) => {
      service.overrideResponse = () => ({ status: 200, body });
      const auth = page.create();
      await expect(auth.login(EMBER.email, EMBER.password)).rejects.toMatchObject({ status: undefined });
      expect([auth.isLoggedIn(), names()]).toEqual([false, ['service:error']]);
    },
  );

  it('sends one request and emits one event for equal concurrent calls', async () => {
    const auth = page.create();
    const [one, two] = await Promise.all([
      auth.login(EMBER.email, EMBER.password),
      auth.login(EMBER.email, EMBER.password),
    ]);
    expect(one).toEqual(two);
    expect([service.requests.length, names()]).toEqual([1, ['service:login']]);
  });
});

describe('logout', () => {
  it('clears the session at once, emits logout and notifies the auth service', async () => {
    const auth = page.create();
    await auth.login(EMBER.email, EMBER.password);
    const pendingLogout = auth.logout();
    expect([auth.isLoggedIn(), auth.getUser(), auth.getUsername(), auth.getEmail(), auth.getSessionKey()]).toEqual([
      false,
      null,
      null,
      null,
      null,
    ]);
    expect(page.storage).toHaveLength(0);
    expect(page.events.at(-1)).toEqual(['service:logout', USER]);
    expect(await pendingLogout).toBe(true);
    expect(service.requests.at(-1)).toMatchObject({ path: '/api/auth/logout', body: { sessionKey: EMBER.sessionKey } });
  });

  it('clears the session even when the auth service is unreachable', async () => {
    const auth = page.create();
    await auth.login(EMBER.email, EMBER.password);
    service.overrideResponse = () => 'hang up';
    expect(await auth.logout()).toBe(false);
    expect([auth.isLoggedIn(), names()]).toEqual([false, ['service:login', 'service:logout', 'service:error']]);
  });

  it('succeeds for a session that has already ended', async () => {
    const auth = page.create();
    await auth.login(EMBER.email, EMBER.password);
    service.overrideResponse = () => ({ status: 401, body: { error: 'Invalid session' } });
    expect(await auth.logout()).toBe(true);
    expect(names()).toEqual(['service:login', 'service:logout']);
  });

  it('sends no request without a session, and removes invalid stored data', async () => {
    page.storage.setItem('service_auth', 'not JSON');
    expect(await page.create().logout()).toBe(true);
    expect([page.storage.length, names(), service.requests]).toEqual([0, [], []]);
  });
});

describe('verifySession', () => {
  it('returns true for a valid session and updates the user', async () => {
    const auth = page.create();
    await auth.login(EMBER.email, EMBER.password);
    service.overrideResponse = () => ({
      status: 200,
      body: { valid: true, username: 'EmberFox2', email: 'new@demo.example' },
    });
    expect(await auth.verifySession()).toBe(true);
    expect(service.requests.at(-1)).toMatchObject({ path: '/api/auth/verify', body: { sessionKey: EMBER.sessionKey } });
    expect(auth.getUser()).toEqual({ username: 'EmberFox2', email: 'new@demo.example' });
    expect(names()).toEqual(['service:login']);
  });

  it('clears a session that the auth service rejects', async () => {
    const auth = page.create();
    await auth.login(EMBER.email, EMBER.password);
    service.overrideResponse = () => ({ status: 401, body: { valid: false, error: 'Invalid session' } });
    expect(await auth.verifySession()).toBe(false);
    expect([auth.isLoggedIn(), page.storage.length, names()]).toEqual([false, 0, ['service:login', 'service:logout']]);
  });

  it('sends no request without a session', async () => {
    expect(await page.create().verifySession()).toBe(false);
    expect(service.requests).toEqual([]);
  });

  it('sends one request for concurrent calls', async () => {
    const auth = page.create();
    await auth.login(EMBER.email, EMBER.password);
    expect(await Promise.all([auth.verifySession(), auth.verifySession()])).toEqual([true, true]);
    expect(service.requests).toHaveLength(2);
  });

  it('does not touch a session that replaced the verified one meanwhile', async () => {
    const auth = page.create();
    await auth.login(EMBER.email, EMBER.password);
    for (const status of [200, 401]) {
      service.overrideResponse = () => {
        const newer = { sessionKey: 'newer', user: { username: 'Mist Owl', email: '' }, timestamp: 1 };
        page.storage.setItem('service_auth', JSON.stringify(newer));
        return { status, body: { valid: true, username: EMBER.username } };
      };
      page.storage.setItem('service_auth', JSON.stringify({ sessionKey: 'older', user: USER }));
      expect(await auth.verifySession()).toBe(false);
      expect([auth.getSessionKey(), auth.getUsername()]).toEqual(['newer', 'Mist Owl']);
    }
    expect(names()).toEqual(['service:login']);
  });
});

describe('the stored session', () => {
  it('survives the page', async () => {
    await page.create().login(EMBER.email, EMBER.password);
    expect(page.create().getUser()).toEqual(USER);
    expect(await page.create().verifySession()).toBe(true);
  });

  it('is stored under the chosen storage key', async () => {
    const auth = page.create({ storageKey: 'mine' });
    await auth.login(EMBER.email, EMBER.password);
    await auth.getFriends();
    expect(stored('mine')).toMatchObject({ sessionKey: EMBER.sessionKey });
    expect([stored(), page.create().isLoggedIn()]).toEqual([null, false]);
    await auth.logout();
    expect(page.storage).toHaveLength(0);
  });

  it.each([
    'not JSON',
    'null',
    '1',
    '"text"',
    '[]',
    '{}',
    '{"sessionKey":"key"}',
    '{"sessionKey":"key","user":null}',
    '{"sessionKey":"key","user":{"username":1}}',
    '{"sessionKey":{},"user":{"username":"EmberFox"}}',
    '{"sessionKey":"","user":{"username":"EmberFox"}}',
    '{"__proto__":{"sessionKey":"key","user":{"username":"EmberFox"}}}',
  ])('is ignored when it is %s', async (text) => {
    page.storage.setItem('service_auth', text);
    const auth = page.create();
    expect([auth.isLoggedIn(), auth.getUser(), await auth.verifySession()]).toEqual([false, null, false]);
    await auth.login(EMBER.email, EMBER.password);
    expect(auth.isLoggedIn()).toBe(true);
  });

  it.each(['localStorage', 'setItem'])('lasts as long as the page when the browser denies %s', async (denied) => {
    const deny = "() => { throw new DOMException('denied', 'SecurityError'); }";
    page.window.eval(
      denied === 'setItem'
        ? `Storage.prototype.setItem = ${deny}`
        : `Object.defineProperty(window, 'localStorage', { get: ${deny} })`,
    );
    const auth = page.create();
    await auth.login(EMBER.email, EMBER.password);
    expect([auth.getUser(), await auth.verifySession()]).toEqual([USER, true]);
    expect(await auth.getFriends()).toMatchObject({ count: 1 });
    expect(page.create().isLoggedIn()).toBe(true);
    await auth.logout();
    expect([auth.isLoggedIn(), names()]).toEqual([false, ['service:login', 'service:logout']]);
  });
});

describe('another tab', () => {
  const inAnotherTab = (change: () => void, key: string | null = 'service_auth') => {
    change();
    page.dispatchStorageEvent(key);
  };
  const session = (username: string, sessionKey: string) =>
    JSON.stringify({ sessionKey, user: { username, email: '' }, timestamp: 1 });

  it('signs this tab in and out with events', () => {
    const auth = page.create();
    const heard: unknown[] = [];
    auth.on('login', ({ username }) => heard.push(['login', username]));
    auth.on('logout', ({ username }) => heard.push(['logout', username]));
    inAnotherTab(() => page.storage.setItem('service_auth', session('EmberFox', 'a')));
    expect(auth.getUsername()).toBe('EmberFox');
    inAnotherTab(() => page.storage.setItem('service_auth', session('Mist Owl', 'b')));
    inAnotherTab(() => page.storage.removeItem('service_auth'));
    expect(auth.isLoggedIn()).toBe(false);
    inAnotherTab(() => page.storage.setItem('service_auth', session('EmberFox', 'c')));
    inAnotherTab(() => page.storage.clear(), null);
    expect(heard).toEqual([
      ['login', 'EmberFox'],
      ['login', 'Mist Owl'],
      ['logout', 'Mist Owl'],
      ['login', 'EmberFox'],
      ['logout', 'EmberFox'],
    ]);
    expect(names()).toHaveLength(5);
  });

  it('causes no event when it only verified the session or stored something else', () => {
    page.storage.setItem('service_auth', session('EmberFox', 'a'));
    page.create();
    inAnotherTab(() => page.storage.setItem('service_auth', session('EmberFox', 'a')));
    inAnotherTab(() => page.storage.setItem('theme', 'dark'), 'theme');
    expect(names()).toEqual([]);
  });

  it('causes its events when the page is shown again', () => {
    page.create();
    page.storage.setItem('service_auth', session('EmberFox', 'a'));
    page.window.eval("dispatchEvent(new Event('pageshow'))");
    expect(names()).toEqual(['service:login']);
  });
});
