import { defaultRules, FOLLOWING_MAX, operations, type Followed, type OperationResponse } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import { openUserDatabase } from '../src/open-store.ts';
import { runUserApi, sessionKeyOf, type RunningUserApi } from './running-user-api.ts';

const { follow, listFollowing, unfollow, setQuietHours, exportUser, eraseMe } = operations;
type List = OperationResponse<typeof listFollowing>;

const asFox = (users: RunningUserApi, path: string, method = 'GET', as = 'EmberFox') =>
  getJson(users.url + path, { method, headers: { 'X-Session-Key': sessionKeyOf(as) } });
const list = async (users: RunningUserApi, as?: string) =>
  (await asFox(users, listFollowing.path, 'GET', as)).body as List;
const pathOf = (kind: string, id: string) =>
  unfollow.path.replace(':kind', kind).replace(':id', encodeURIComponent(id));

describe('following', () => {
  it('is written one after the other for an account, beside others, and no further when too much waits', async () => {
    const store = await openUserDatabase('sqlite::memory:', 'simulated');
    const [began, open] = [[] as string[], new Map<string, () => void>()];
    const put = store.following.putSubscription.bind(store.following);
    const held: typeof store = {
      ...store,
      following: {
        ...store.following,
        putSubscription: async (subscription, limit) => {
          began.push(subscription.userKey);
          if (began.length === 1) await new Promise<void>((resolve) => open.set('first', resolve));
          return put(subscription, limit);
        },
      },
    };
    const users = await runUserApi({ store: held });
    const send = (index: number, as: string) => users.send(follow.path, { kind: 'event', id: String(index) }, { as });
    const first = send(0, 'EmberFox');
    await eventually(() => {
      expect(began).toHaveLength(1);
    });
    const others = Array.from({ length: 60 }, (_, index) => send(index + 1, 'EmberFox'));
    expect(await send(1, 'Marlow')).toMatchObject({ status: 200 });
    expect(began).toHaveLength(2);
    open.get('first')?.();
    const answered = await Promise.all([first, ...others]);
    // Of 61, one ran and 40 waited.
    expect(answered.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(20);
    expect(await send(99, 'EmberFox')).toMatchObject({ status: 200 });
  });

  it.each([
    ['game', '4D530064', '4d530064'],
    ['leaderboard', '4D530064:017', '4d530064:17'],
    ['player', 'Ember Fox', 'EMBER FOX'],
    ['event', '031', '31'],
  ] as const)(
    'adds a %s with its default rules, changes it by another spelling, and removes it',
    async (kind, id, other) => {
      const users = await runUserApi();
      const added = await users.send<Followed>(follow.path, { kind, id });
      expect(added).toMatchObject({ status: 200, body: { kind, id, rules: defaultRules[kind] } });
      const [rule = ''] = Object.keys(defaultRules[kind]);
      const off = typeof defaultRules[kind][rule as keyof Followed['rules']] === 'number' ? null : false;
      await users.send(follow.path, { kind, id: other, rules: { [rule]: off } });
      expect((await list(users)).following).toEqual([
        { kind, id: other, rules: { ...defaultRules[kind], [rule]: off }, followedAt: added.body.followedAt },
      ]);
      expect(await asFox(users, pathOf(kind, id), 'DELETE')).toMatchObject({ status: 200, body: { removed: true } });
      expect(await asFox(users, pathOf(kind, id), 'DELETE')).toMatchObject({ status: 200, body: { removed: false } });
      expect((await list(users)).following).toEqual([]);
    },
  );

  it.each([
    [{ kind: 'team', id: '1' }, 'kind'],
    [{ kind: 'game', id: 'Harbor Racing' }, 'id'],
    [{ kind: 'leaderboard', id: '4d530064:99999999999' }, 'id'],
    [{ kind: 'leaderboard', id: '4d530064:4294967296' }, 'id'],
    [{ kind: 'player', id: '  ' }, 'id'],
    [{ kind: 'player', id: 'a\u0000b' }, 'id'],
    [{ kind: 'event', id: '-1' }, 'id'],
    [{ kind: 'game', id: '4d530064', rules: { online: true } }, 'rules online'],
    [{ kind: 'game', id: '4d530064', rules: { lobbyPlayers: 0 } }, 'rules lobbyPlayers'],
    [{ kind: 'game', id: '4d530064', rules: { lobbyPlayers: true } }, 'rules lobbyPlayers'],
    [{ kind: 'player', id: 'Marlow', rules: { online: 1 } }, 'rules online'],
  ])('refuses %j', async (body, field) => {
    const users = await runUserApi();
    const answer = await users.send<{ error: string }>(follow.path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.replaceAll('.', ' ')).toContain(field);
    expect((await list(users)).following).toEqual([]);
  });

  it('has a limit for each account', async () => {
    const users = await runUserApi();
    for (let id = 0; id < FOLLOWING_MAX; id += 1) {
      expect(await users.send(follow.path, { kind: 'event', id: String(id) })).toMatchObject({ status: 200 });
    }
    expect(await users.send(follow.path, { kind: 'event', id: '1000' })).toMatchObject({ status: 400 });
    expect(await users.send(follow.path, { kind: 'event', id: '0', rules: { events: false } })).toMatchObject({
      status: 200,
    });
    expect(await users.send(follow.path, { kind: 'event', id: '0' }, { as: 'Marlow' })).toMatchObject({ status: 200 });
  });

  it('sets quiet hours in a time zone that exists', async () => {
    const users = await runUserApi();
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
    expect(await users.send(setQuietHours.path, { quietHours })).toMatchObject({ status: 200, body: { quietHours } });
    expect((await list(users)).quietHours).toEqual(quietHours);
    for (const wrong of [{ timeZone: 'Mars/Olympus' }, { from: '24:00' }, { to: '22:00' }]) {
      const answer = await users.send(setQuietHours.path, { quietHours: { ...quietHours, ...wrong } });
      expect(answer.status).toBe(400);
    }
    await users.send(setQuietHours.path, { quietHours: null });
    expect((await list(users)).quietHours).toBeNull();
  });

  it('is in the export, and an erasure removes it for good', async () => {
    const users = await runUserApi();
    await users.send(follow.path, { kind: 'player', id: 'Marlow' });
    const exported = await asFox(users, exportUser.path);
    expect(exported.body).toMatchObject({ following: [{ kind: 'player', id: 'Marlow' }], notifications: [] });
    const asked = (await asFox(users, eraseMe.path, 'DELETE')).body as { confirmation: string };
    await asFox(users, `${eraseMe.path}?confirmation=${asked.confirmation}`, 'DELETE');
    expect((await list(users)).following).toEqual([]);
    expect(await users.send(follow.path, { kind: 'player', id: 'Marlow' })).toMatchObject({ status: 403 });
    expect((await list(users)).following).toEqual([]);
  });

  it('shows nobody what others follow', async () => {
    const users = await runUserApi();
    await users.send(follow.path, { kind: 'player', id: 'Marlow' });
    expect((await list(users, 'Marlow')).following).toEqual([]);
    expect(await getJson(users.url + listFollowing.path)).toMatchObject({ status: 400 });
  });
});
