import type { ServiceAuth } from '../src/service-auth.d.ts';
import { EMBER, FRIENDS, GAMES, PROFILE, startAuthService, type FakeAuthService } from './fake-auth-service.ts';
import { openPage, type Page } from './page.ts';

let service: FakeAuthService;
let page: Page;
let auth: ServiceAuth;

beforeEach(async () => {
  service = await startAuthService();
  page = openPage(service.url);
  auth = page.create();
  await auth.login(EMBER.email, EMBER.password);
  service.requests.length = 0;
});

const kinds = [
  { name: 'Friends', data: FRIENDS },
  { name: 'Games', data: GAMES },
  { name: 'Profile', data: PROFILE },
] as const;
const asked = () => service.requests.map(({ method, path }) => `${method} ${path}`);

describe.each(kinds)('the session’s $name', ({ name, data }) => {
  const path = name.toLowerCase();
  const get = () => auth[`get${name}`]();
  const refresh = () => auth[`refresh${name}`]();

  it('are fetched once and then cached', async () => {
    expect([await get(), await get()]).toEqual([data, data]);
    expect(await page.create()[`get${name}`]()).toEqual(data);
    expect(asked()).toEqual([`GET /api/auth/${path}`]);
    expect(service.requests[0]?.headers).toMatchObject({ 'x-session-key': EMBER.sessionKey });
  });

  it('are replaced in the cache by a refresh', async () => {
    const newer = { ...data, lastUpdated: 'later' };
    await get();
    service.overrideResponse = () => ({ status: 200, body: { success: true, ...newer } });
    expect([await refresh(), await get()]).toEqual([newer, newer]);
    expect(asked()).toEqual([`GET /api/auth/${path}`, `POST /api/auth/refresh/${path}`]);
  });

  it('are fetched again after a minute, and served from the cache while that fails', async () => {
    await get();
    const later = Date.now() + 60_000;
    page.window.eval(`Date.now = () => ${later}`);
    service.overrideResponse = () => ({ status: 503, body: { error: 'Down' } });
    expect(await get()).toEqual(data);
    expect(page.events.at(-1)).toMatchObject(['service:error', { message: 'Down', status: 503 }]);
    service.overrideResponse = () => undefined;
    expect(await get()).toEqual(data);
    expect(asked()).toHaveLength(3);
  });

  it('are null without a connection or a copy, and a refresh rejects', async () => {
    service.overrideResponse = () => 'hang up';
    expect(await get()).toBeNull();
    await expect(refresh()).rejects.toMatchObject({ message: 'The auth service can not be reached' });
    expect(auth.isLoggedIn()).toBe(true);
  });

  it('are null when the response has another shape', async () => {
    service.overrideResponse = () => ({ status: 200, body: { count: 1 } });
    expect(await get()).toBeNull();
    await expect(refresh()).rejects.toMatchObject({ status: undefined });
  });

  it('are null without a session, and no request is sent', async () => {
    await auth.logout();
    service.requests.length = 0;
    expect([await get(), await refresh(), asked()]).toEqual([null, null, []]);
  });

  it('are null when the session has ended, and the user is signed out', async () => {
    service.overrideResponse = () => ({ status: 401, body: { error: 'Invalid session' } });
    expect(await refresh()).toBeNull();
    expect(auth.isLoggedIn()).toBe(false);
    expect(page.events.at(-1)?.[0]).toBe('service:logout');
  });

  it('are fetched once for concurrent calls', async () => {
    expect(await Promise.all([refresh(), refresh(), refresh()])).toEqual([data, data, data]);
    expect(asked()).toHaveLength(1);
  });
});

describe('cached copies', () => {
  it('are removed by logout', async () => {
    await Promise.all([auth.getFriends(), auth.getGames(), auth.getProfile()]);
    await auth.logout();
    expect(page.storage).toHaveLength(0);
  });

  it('are not served to another user', async () => {
    await auth.getFriends();
    const copies = page.storage.getItem('service_auth_copies')!;
    expect(copies).not.toContain(EMBER.sessionKey);
    const otherFriends = { friends: [], lastUpdated: null, count: 0 };
    service.overrideResponse = () => ({ status: 200, body: otherFriends });
    page.storage.setItem(
      'service_auth',
      JSON.stringify({ sessionKey: 'b', user: { username: 'Mist Owl', email: '' } }),
    );
    expect(await auth.getFriends()).toEqual(otherFriends);
  });

  it('are not stored when the session changes during the request', async () => {
    service.overrideResponse = () => {
      page.storage.setItem('service_auth', JSON.stringify({ sessionKey: 'b', user: { username: 'Mist Owl' } }));
      return { status: 200, body: FRIENDS };
    };
    expect(await auth.refreshFriends()).toBeNull();
    expect(page.storage.getItem('service_auth_copies')).toBeNull();
  });

  it.each(['not JSON', '[]', '{"username":"EmberFox","friends":1}', '{"username":"EmberFox","friends":{"at":"x"}}'])(
    'are ignored when the stored text is %s',
    async (text) => {
      page.storage.setItem('service_auth_copies', text);
      expect(await auth.getFriends()).toEqual(FRIENDS);
    },
  );
});

describe('mutes', () => {
  it('are always empty', async () => {
    expect([await page.window.eval('new ServiceAuth().getMutes()'), asked()]).toEqual([[], []]);
  });
});
