import type { ServiceAuth } from '../src/service-auth.d.ts';
import { EMBER, FRIENDS, GAMES, PROFILE, startAuthService, type AuthService } from './auth-service.ts';
import { openPage, type Page } from './page.ts';

let service: AuthService;
let page: Page;
let auth: ServiceAuth;

beforeEach(async () => {
  service = await startAuthService();
  page = openPage(service.url);
  auth = page.create();
  await auth.login(EMBER.email, EMBER.password);
  service.asked.length = 0;
});

const kinds = [
  { name: 'Friends', data: FRIENDS },
  { name: 'Games', data: GAMES },
  { name: 'Profile', data: PROFILE },
] as const;
const asked = () => service.asked.map(({ method, path }) => `${method} ${path}`);

describe.each(kinds)('the session’s $name', ({ name, data }) => {
  const path = name.toLowerCase();
  const get = () => auth[`get${name}`]();
  const refresh = () => auth[`refresh${name}`]();

  it('are asked for once, and then kept', async () => {
    expect([await get(), await get()]).toEqual([data, data]);
    expect(await page.create()[`get${name}`]()).toEqual(data);
    expect(asked()).toEqual([`GET /api/auth/${path}`]);
    expect(service.asked[0]?.headers).toMatchObject({ 'x-session-key': EMBER.sessionKey });
  });

  it('are refreshed, and kept as they are then', async () => {
    const newer = { ...data, lastUpdated: 'later' };
    await get();
    service.instead = () => ({ status: 200, body: { success: true, ...newer } });
    expect([await refresh(), await get()]).toEqual([newer, newer]);
    expect(asked()).toEqual([`GET /api/auth/${path}`, `POST /api/auth/refresh/${path}`]);
  });

  it('are asked for again after a minute; while that fails, the copy stands in', async () => {
    await get();
    const later = Date.now() + 60_000;
    page.window.eval(`Date.now = () => ${later}`);
    service.instead = () => ({ status: 503, body: { error: 'Down' } });
    expect(await get()).toEqual(data);
    expect(page.dispatched.at(-1)).toMatchObject(['service:error', { message: 'Down', status: 503 }]);
    service.instead = () => undefined;
    expect(await get()).toEqual(data);
    expect(asked()).toHaveLength(3);
  });

  it('are null when there are none to be had, and refreshing rejects', async () => {
    service.instead = () => 'hang up';
    expect(await get()).toBeNull();
    await expect(refresh()).rejects.toMatchObject({ message: 'The auth service can not be reached' });
    expect(auth.isLoggedIn()).toBe(true);
  });

  it('are not what makes no sense', async () => {
    service.instead = () => ({ status: 200, body: { count: 1 } });
    expect(await get()).toBeNull();
    await expect(refresh()).rejects.toMatchObject({ status: undefined });
  });

  it('are null without a session, and nobody is asked', async () => {
    await auth.logout();
    service.asked.length = 0;
    expect([await get(), await refresh(), asked()]).toEqual([null, null, []]);
  });

  it('are null when the session turns out to have ended, which signs out', async () => {
    service.instead = () => ({ status: 401, body: { error: 'Invalid session' } });
    expect(await refresh()).toBeNull();
    expect(auth.isLoggedIn()).toBe(false);
    expect(page.dispatched.at(-1)?.[0]).toBe('service:logout');
  });

  it('are asked for once by calls at once', async () => {
    expect(await Promise.all([refresh(), refresh(), refresh()])).toEqual([data, data, data]);
    expect(asked()).toHaveLength(1);
  });
});

describe('copies', () => {
  it('are gone after a logout', async () => {
    await Promise.all([auth.getFriends(), auth.getGames(), auth.getProfile()]);
    await auth.logout();
    expect(page.storage).toHaveLength(0);
  });

  it('are nobody else’s', async () => {
    await auth.getFriends();
    const copies = page.storage.getItem('service_auth_copies')!;
    expect(copies).not.toContain(EMBER.sessionKey);
    const theirs = { friends: [], lastUpdated: null, count: 0 };
    service.instead = () => ({ status: 200, body: theirs });
    page.storage.setItem(
      'service_auth',
      JSON.stringify({ sessionKey: 'b', user: { username: 'Mist Owl', email: '' } }),
    );
    expect(await auth.getFriends()).toEqual(theirs);
  });

  it('do not come from an answer that another session’s user would get', async () => {
    service.instead = () => {
      page.storage.setItem('service_auth', JSON.stringify({ sessionKey: 'b', user: { username: 'Mist Owl' } }));
      return { status: 200, body: FRIENDS };
    };
    expect(await auth.refreshFriends()).toBeNull();
    expect(page.storage.getItem('service_auth_copies')).toBeNull();
  });

  it.each(['not JSON', '[]', '{"username":"EmberFox","friends":1}', '{"username":"EmberFox","friends":{"at":"x"}}'])(
    'are as none when what is stored is %s',
    async (text) => {
      page.storage.setItem('service_auth_copies', text);
      expect(await auth.getFriends()).toEqual(FRIENDS);
    },
  );
});

describe('mutes', () => {
  it('are none', async () => {
    expect([await page.window.eval('new ServiceAuth().getMutes()'), asked()]).toEqual([[], []]);
  });
});
