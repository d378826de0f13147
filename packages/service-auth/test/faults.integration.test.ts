import { eventually } from '@lobbystats/test-kit';
import type { ServiceAuth } from '../src/service-auth.d.ts';
import { EMBER, startAuthService, type FakeResponse, type FakeAuthService } from './fake-auth-service.ts';
import { openPage, type Page } from './page.ts';

let service: FakeAuthService;
let page: Page;
let auth: ServiceAuth;

beforeEach(async () => {
  service = await startAuthService();
  page = openPage(service.url);
  auth = page.create();
  await auth.login(EMBER.email, EMBER.password);
  page.events.length = 0;
});

describe('a session', () => {
  const faults: [string, FakeResponse, string][] = [
    ['a broken connection', 'hang up', 'The auth service can not be reached'],
    ['a page that a proxy made', { status: 502, body: '<h1>Bad gateway</h1>' }, 'no answer that can be understood'],
    ['a 401 that is no JSON', { status: 401, body: '<h1>Log in</h1>' }, 'no answer that can be understood'],
    ['a 401 that is a text', { status: 401, body: '"no"' }, 'no answer that can be understood'],
    ['an empty answer', { status: 200, body: '' }, 'no answer that can be understood'],
    ['null', { status: 200, body: null }, 'no answer that can be understood'],
    ['half an answer', { status: 200, body: '{"valid": tr' }, 'no answer that can be understood'],
    ['an answer to something else', { status: 200, body: {} }, 'no answer that can be understood'],
    ['no without a 401', { status: 200, body: { valid: false } }, 'no answer that can be understood'],
    ['an error of the service', { status: 500, body: { error: 'Oops' } }, 'Oops'],
    ['an error without a word', { status: 503, body: { error: {} } }, 'The auth service refused (503)'],
    ['a 403', { status: 403, body: { error: 'Forbidden' } }, 'Forbidden'],
    ['a redirect', { status: 307, body: '', location: '/elsewhere' }, 'The auth service can not be reached'],
  ];

  it.each(faults)('survives %s, which is reported as an error', async (_, answer, message) => {
    service.overrideResponse = () => answer;
    expect(await auth.verifySession()).toBe(false);
    expect(auth.getSessionKey()).toBe(EMBER.sessionKey);
    expect(page.events).toMatchObject([['service:error', { message: expect.stringContaining(message) }]]);
    service.overrideResponse = () => undefined;
    expect(await auth.verifySession()).toBe(true);
  });

  it('survives an auth service that does not respond within 10 s', async () => {
    let asked = 0;
    const late = new AbortController();
    const timeout = (ms: number) => {
      asked = ms;
      return late.signal;
    };
    Object.assign(page.window, { AbortSignal: { timeout } });
    service.overrideResponse = () => {
      late.abort(new DOMException('late', 'TimeoutError'));
      return { status: 200, body: {} };
    };
    expect(await auth.verifySession()).toBe(false);
    expect(asked).toBe(10_000);
    expect(page.events).toMatchObject([['service:error', { message: 'The auth service did not answer in time' }]]);
    expect(auth.isLoggedIn()).toBe(true);
  });

  it('is not sent to the target of a redirect', async () => {
    const elsewhere = await startAuthService();
    service.overrideResponse = () => ({ status: 307, body: '', location: `${elsewhere.url}/api/auth/verify` });
    expect(await auth.verifySession()).toBe(false);
    expect([elsewhere.requests, auth.isLoggedIn()]).toEqual([[], true]);
  });

  it('exposes its key in no URL and no event', async () => {
    await auth.verifySession();
    await Promise.all([auth.getFriends(), auth.refreshGames()]);
    await auth.logout();
    await auth.login(EMBER.email, EMBER.password);
    expect(service.requests.map(({ path }) => path).filter((path) => path.includes(EMBER.sessionKey))).toEqual([]);
    expect(service.requests.filter(({ headers }) => 'referer' in headers)).toEqual([]);
    expect(JSON.stringify(page.events)).not.toContain(EMBER.sessionKey);
  });
});

describe('a listener', () => {
  it('that throws does not affect others, and its error is uncaught in the page', async () => {
    const heard: string[] = [];
    const fault = new Error('a listener’s');
    auth.on('logout', () => {
      throw fault;
    });
    auth.on('logout', ({ username }) => heard.push(username));
    expect(await auth.logout()).toBe(true);
    expect(heard).toEqual([EMBER.username]);
    await eventually(() => {
      expect(page.uncaughtErrors).toEqual([fault]);
    });
  });

  it('receives no event after off', async () => {
    const heard: unknown[] = [];
    const listener = (detail: unknown) => heard.push(detail);
    auth.on('logout', listener);
    auth.on('logout', listener);
    auth.off('logout', listener);
    auth.off('login', listener);
    await auth.logout();
    expect(heard).toEqual([]);
  });

  it('can remove itself during an event', async () => {
    const heard: number[] = [];
    const once = () => {
      heard.push(1);
      auth.off('logout', once);
    };
    auth.on('logout', once);
    auth.on('logout', () => heard.push(2));
    await auth.logout();
    expect(heard).toEqual([1, 2]);
  });

  it('can be registered under any event name', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) auth.on(name as 'login', () => undefined);
    expect(await auth.logout()).toBe(true);
  });
});

describe('automatic verification', () => {
  let timers: [number | undefined, () => unknown][];
  let cleared: unknown[];

  beforeEach(() => {
    timers = [];
    cleared = [];
    Object.assign(page.window, {
      setInterval: (act: () => unknown, ms?: number) => timers.push([ms, act]),
      clearInterval: (timer: unknown) => cleared.push(timer),
    });
  });

  it('verifies periodically until it is stopped', async () => {
    auth.startAutoVerify(60_000);
    const [everyMs, act] = timers[0]!;
    expect(everyMs).toBe(60_000);
    const before = service.requests.length;
    expect([await act(), await act()]).toEqual([true, true]);
    expect(service.requests.length - before).toBe(2);
    auth.stopAutoVerify();
    expect(cleared.at(-1)).toBe(1);
  });

  it('continues after a failure, and sends no request without a session', async () => {
    auth.startAutoVerify();
    const [, act] = timers[0]!;
    service.overrideResponse = () => 'hang up';
    expect(await act()).toBe(false);
    service.overrideResponse = () => undefined;
    expect(await act()).toBe(true);
    await auth.logout();
    const before = service.requests.length;
    await act();
    expect(service.requests).toHaveLength(before);
  });

  it('has one timer, however often it is started', () => {
    auth.startAutoVerify();
    auth.startAutoVerify();
    expect(cleared).toEqual([undefined, 1]);
  });

  it.each([
    [undefined, 300_000],
    [Number.NaN, 300_000],
    [0, 300_000],
    [-5, 1000],
    [10, 1000],
    [Infinity, 2 ** 31 - 1],
    [2 ** 40, 2 ** 31 - 1],
  ])('with an interval of %p runs every %i ms', (intervalMs, everyMs) => {
    auth.startAutoVerify(intervalMs);
    expect(timers[0]![0]).toBe(everyMs);
  });
});
