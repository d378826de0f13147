import type { UserDatabase } from '../src/user-database.ts';
import type { FollowStore, NotificationRecord } from '../src/following/follow-store.ts';
import { Notifier } from '../src/following/notifier.ts';
import { follow, notificationsOf, notifyAll, occurrence, subscription, TITLE } from './follow-records.ts';
import { HOSTILE, put, SLOT, user } from './stored-records.ts';

/** Contract of every {@link FollowStore}. `open` returns an empty store each time. */
export function describeFollowStore(adapter: string, open: () => Promise<UserDatabase>): void {
  describe(`follow store in ${adapter}`, () => {
    let database: UserDatabase;
    let store: FollowStore;
    beforeEach(async () => {
      database = await open();
      ({ following: store } = database);
      await put(database, { users: ['a', 'b', ...HOSTILE].map((key) => user(key)) });
    });
    afterEach(async () => {
      await database.close();
    });

    it('returns subscriptions as written, the latest first, and one of each target', async () => {
      for (const [index, text] of HOSTILE.entries()) {
        const written = subscription(text, { kind: 'player', target: text, id: text, rules: { online: true } });
        expect(await store.putSubscription(written, 10)).toBe('written');
        const later = subscription(text, { followedAt: SLOT + 1 + index });
        expect(await store.putSubscription(later, 10)).toBe('written');
        expect(await store.putSubscription({ ...written, rules: {}, followedAt: 1 }, 10)).toBe('written');
        expect(await store.subscriptionsOf(text)).toEqual([later, { ...written, rules: {} }]);
      }
      expect(await store.subscriptionsOf('a')).toEqual([]);
    });

    it('refuses a user who is unknown or has the most, who can still change what they follow', async () => {
      expect(await store.putSubscription(subscription('nobody'), 10)).toBe('unknown');
      await store.putSubscription(subscription('a', { target: '1' }), 2);
      await store.putSubscription(subscription('a', { target: '2' }), 2);
      expect(await store.putSubscription(subscription('a', { target: '3' }), 2)).toBe('full');
      expect(await store.putSubscription(subscription('a', { target: '2', rules: {} }), 2)).toBe('written');
      expect(await store.putSubscription(subscription('b', { target: '3' }), 2)).toBe('written');
    });

    it('gives a user content who must not be retired', async () => {
      await store.putSubscription(subscription('a'), 10);
      await store.putQuietHours('b', { from: '22:00', to: '07:30', timeZone: 'Europe/Berlin' });
      expect(await database.users.keysWithContent(['a', 'b', '$set'])).toEqual(new Set(['a', 'b']));
    });

    it('removes one subscription, once', async () => {
      await store.putSubscription(subscription('a'), 10);
      await store.putSubscription(subscription('b'), 10);
      expect(await store.removeSubscription('a', 'event', TITLE)).toBe(false);
      expect(await store.removeSubscription('a', 'game', TITLE)).toBe(true);
      expect(await store.removeSubscription('a', 'game', TITLE)).toBe(false);
      expect(await store.subscriptionsOf('b')).toHaveLength(1);
    });

    it('replaces and removes quiet hours of known users', async () => {
      const quiet = { from: '22:00', to: '07:30', timeZone: 'Europe/Berlin' };
      expect(await store.putQuietHours('nobody', quiet)).toBe(false);
      expect(await store.putQuietHours('a', { ...quiet, from: '21:00' })).toBe(true);
      await store.putQuietHours('a', quiet);
      await store.putQuietHours('b', quiet);
      await store.putQuietHours('b', null);
      expect(await store.quietHours(['a', 'b', 'nobody'])).toEqual(new Map([['a', quiet]]));
    });

    it('finds followed targets, and subscribers in order of users', async () => {
      for (const key of ['b', 'a', '__proto__']) await store.putSubscription(subscription(key), 10);
      await store.putSubscription(subscription('a', { kind: 'player' }), 10);
      expect(await store.followedTargets('game', [TITLE, 'other', '$where'])).toEqual(new Set([TITLE]));
      expect(await store.followedTargets('event', [TITLE])).toEqual(new Set());
      const all = occurrence('one');
      const keys = async (after: string, limit: number, one: string | null = null) =>
        (await store.subscribers({ ...all, userKey: one }, after, limit)).map(({ userKey }) => userKey);
      expect(await keys('', 10)).toEqual(['__proto__', 'a', 'b']);
      expect(await keys('__proto__', 1)).toEqual(['a']);
      expect(await keys('', 10, 'b')).toEqual(['b']);
      expect(await keys('b', 10, 'b')).toEqual([]);
    });

    it('records an occurrence once, and a state only on its version', async () => {
      const state = await store.state('slot');
      expect(state).toEqual({ name: 'slot', version: 0, value: '' });
      expect(await store.record([occurrence('one')], { ...state, value: '{"$a.b":1}' })).toBe(true);
      expect(await store.record([occurrence('two')], { ...state, value: 'stale' })).toBe(false);
      expect(await store.record([occurrence('one'), occurrence('$three')])).toBe(true);
      expect(await store.state('slot')).toEqual({ name: 'slot', version: 1, value: '{"$a.b":1}' });
      const pending = await store.pendingOccurrences(10);
      expect(pending.map(({ id }) => id)).toEqual(['one', '$three']);
      expect(pending[0]).toMatchObject({ ...occurrence('one'), after: '' });
      expect(await store.pendingOccurrences(1)).toHaveLength(1);
    });

    it('notifies a batch once, and continues after its last user', async () => {
      for (const key of ['a', 'b']) await store.putSubscription(subscription(key), 10);
      await store.record([occurrence('one')]);
      const [pending] = await store.pendingOccurrences(1);
      if (pending === undefined) throw new Error('nothing is pending');
      const notification = (userKey: string): NotificationRecord => ({
        ...{ id: `of ${userKey}`, userKey, kind: 'game', target: TITLE, rule: 'newLeaderboards' },
        ...{ dueAt: SLOT, happenedAt: SLOT - 1, title: 'News', items: ['$one', 'two'], count: 2 },
      });
      const first = { occurrence: pending, after: 'a', notifications: [notification('a')] };
      expect(await store.commitFanOut(first)).toBe(true);
      expect(await store.commitFanOut({ ...first, notifications: [notification('b')] })).toBe(false);
      expect(await notificationsOf(store, 'a')).toEqual([notification('a')]);
      expect(await notificationsOf(store, 'b')).toEqual([]);
      const [again] = await store.pendingOccurrences(1);
      expect(again).toMatchObject({ id: 'one', after: 'a' });
      if (again === undefined) throw new Error('nothing is pending');
      const more = { ...notification('a'), happenedAt: SLOT, items: ['three', '$one'], count: 3 };
      expect(await store.commitFanOut({ occurrence: again, after: undefined, notifications: [more] })).toBe(true);
      expect(await notificationsOf(store, 'a')).toEqual([more]);
      expect(await store.pendingOccurrences(1)).toEqual([]);
      const latest = (since: number) => store.latestNotifications(again, ['a', 'b'], since);
      expect(await latest(SLOT - 1)).toEqual(new Map([['a', more]]));
      expect(await latest(SLOT)).toEqual(new Map());
    });

    it('notifies nobody who unfollowed or was erased meanwhile', async () => {
      await follow(store, 'a');
      await follow(store, 'b');
      await store.record([occurrence('one')]);
      const [pending] = await store.pendingOccurrences(1);
      if (pending === undefined) throw new Error('nothing is pending');
      await store.removeSubscription('a', 'game', TITLE);
      await database.erasures.eraseUser({ userKey: 'b', playerKey: undefined, hashes: [], facts: [] });
      const about = {
        kind: 'game',
        target: TITLE,
        rule: 'newLeaderboards',
        dueAt: SLOT,
        happenedAt: SLOT,
        title: '',
        items: [],
        count: 1,
      } as const;
      const notifications = ['a', 'b'].map((userKey) => ({ ...about, id: userKey, userKey }));
      expect(await store.commitFanOut({ occurrence: pending, after: undefined, notifications })).toBe(true);
      for (const key of ['a', 'b']) expect(await notificationsOf(store, key)).toEqual([]);
    });

    it('has no news of a player who was erased, under either name, and keeps that of others', async () => {
      const targets = ['b', 'b tag', 'b c'];
      await store.putSubscription(subscription('a'), 10);
      for (const target of targets)
        await store.putSubscription(subscription('a', { kind: 'player', target, rules: { online: true } }), 10);
      const news = targets.map((target) =>
        occurrence(`presence ${target} 1`, { kind: 'player', target, rule: 'online' }),
      );
      await store.record([...news, occurrence('one')]);
      await new Notifier(store, () => SLOT).notifyAll(() => false);
      expect(await notificationsOf(store, 'a')).toHaveLength(4);
      await store.record(news.map((one) => ({ ...one, id: `${one.id}2` })));
      await database.erasures.eraseUser({ userKey: 'b', playerKey: 'b tag', hashes: [], facts: [] });
      const left = await notificationsOf(store, 'a');
      expect(left.map(({ target }) => target).toSorted()).toEqual([TITLE, 'b c']);
      expect((await store.pendingOccurrences(10)).map(({ id }) => id)).toEqual(['presence b c 12']);
    });

    it('returns notifications that are due, newest first, and removes old ones with finished occurrences', async () => {
      await follow(store, 'a');
      expect(await notifyAll(store, 'one', SLOT)).toBe(1);
      expect(await notifyAll(store, 'two', SLOT + 700)).toBe(1);
      const items = async (until: number, limit: number) =>
        (await store.notificationsOf('a', until, limit)).flatMap((one) => one.items);
      expect(await items(SLOT + 700, 10)).toEqual(['Item two', 'Item one']);
      expect(await items(SLOT + 700, 1)).toEqual(['Item two']);
      expect(await items(SLOT + 699, 10)).toEqual(['Item one']);
      expect(await store.removeNotificationsBefore(SLOT)).toBe(0);
      expect(await store.removeNotificationsBefore(SLOT + 1)).toBe(3);
      expect(await items(SLOT + 700, 10)).toEqual(['Item two']);
    });
  });
}
