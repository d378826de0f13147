import type { UserDatabase } from '../src/user-database.ts';
import type { ChannelStore } from '../src/channels/channel-store.ts';
import { FairShares } from '../src/channels/fair-shares.ts';
import { ACTIVE, channel } from './channel-records.ts';
import { follow, notifyAll } from './follow-records.ts';
import { HOSTILE, put, SLOT, user } from './stored-records.ts';

/** Contract of every {@link ChannelStore}. `open` returns an empty store each time. */
export function describeChannelStore(adapter: string, open: () => Promise<UserDatabase>): void {
  describe(`channel store in ${adapter}`, () => {
    let database: UserDatabase;
    let store: ChannelStore;
    beforeEach(async () => {
      database = await open();
      store = database.channels;
      await put(database, { users: ['a', 'b', ...HOSTILE].map((key) => user(key)) });
    });
    afterEach(async () => {
      await database.close();
    });

    const claim = (now: number, lease: string, limit = 10) =>
      store.claimTurns({ now, lease, leasedUntil: now + 30, limit, shares: new FairShares() });
    const claimed = async (now: number, lease: string, limit?: number) =>
      (await claim(now, lease, limit)).map(({ channel: { id }, deliveries }) => [
        id,
        deliveries.map(({ messageId }) => messageId),
      ]);
    const add = (channelId: string, messageId: string, dueAt = SLOT) =>
      store.putDelivery(channelId, { messageId, type: 'test', dueAt });
    const delivered = { state: 'delivered', attempts: 1, attemptedAt: SLOT, result: 'HTTP 204' } as const;

    it('returns channels as written, the oldest first, and one of each name', async () => {
      for (const text of HOSTILE) {
        const later = channel(text, { name: text, id: `later ${text}`, createdAt: SLOT + 1, sealed: text });
        expect(await store.putChannel(later, 10)).toBe('written');
        await store.putChannel(channel(text, { name: 'x', id: `old ${text}` }), 10);
        const first = channel(text, { name: 'x', state: 'off', failingSince: 1, failures: 3, problem: text });
        expect(await store.putChannel(first, 10)).toBe('written');
        expect(await store.channelsOf(text)).toEqual([first, later]);
      }
      expect(await store.channelsOf('a')).toEqual([]);
    });

    it('finds a channel by its ID', async () => {
      await store.putChannel(channel('a', { id: 'hash', kind: 'feed', sealed: '' }), 10);
      expect(await store.channel('hash')).toEqual(channel('a', { id: 'hash', kind: 'feed', sealed: '' }));
      for (const text of [...HOSTILE, 'a phone', '']) expect(await store.channel(text)).toBeUndefined();
    });

    it('refuses a user who is unknown or has the most, who can still replace one', async () => {
      expect(await store.putChannel(channel('nobody'), 10)).toBe('unknown');
      await store.putChannel(channel('a', { name: '1' }), 2);
      await store.putChannel(channel('a', { name: '2' }), 2);
      expect(await store.putChannel(channel('a', { name: '3' }), 2)).toBe('full');
      expect(await store.putChannel(channel('a', { name: '2', id: 'other' }), 2)).toBe('written');
      expect(await store.putChannel(channel('b', { name: '3' }), 2)).toBe('written');
    });

    it('gives a user content who must not be retired', async () => {
      await store.putChannel(channel('a'), 10);
      expect(await database.users.keysWithContent(['a', 'b'])).toEqual(new Set(['a']));
    });

    it('removes a channel with its deliveries, once', async () => {
      await store.putChannel(channel('a'), 10);
      await add('a phone', 'one');
      expect(await store.removeChannel('b', 'phone')).toBe(false);
      expect(await store.removeChannel('a', 'phone')).toBe(true);
      expect(await store.removeChannel('a', 'phone')).toBe(false);
      expect(await store.deliveriesOf('a phone', 10)).toEqual([]);
      expect(await claimed(SLOT, 'lease')).toEqual([]);
      await add('a phone', 'two');
      expect(await store.deliveriesOf('a phone', 10)).toEqual([]);
    });

    it('adds a delivery of each notification for each active channel of its user, in the same commit', async () => {
      const states = ['active', 'unconfirmed', 'off', 'stopped'] as const;
      await store.putChannel(channel('a', { name: 'feed', kind: 'feed' }), 10);
      for (const state of states) await store.putChannel(channel('a', { name: state, state }), 10);
      await store.putChannel(channel('b'), 10);
      for (const key of ['a', 'b']) await follow(database.following, key);
      await notifyAll(database.following, 'one');
      const turns = await claim(SLOT, 'lease');
      expect(turns.map(({ channel: { id } }) => id).toSorted()).toEqual(['a active', 'b phone']);
      const [first] = turns[0]?.deliveries ?? [];
      const [notification] = await database.following.notificationsOf(turns[0]?.channel.userKey ?? '', SLOT, 1);
      expect(first).toEqual({
        ...{ messageId: notification?.id, type: 'notification', dueAt: SLOT, state: 'waiting', attempts: 0 },
        ...{ attemptedAt: null, result: null, notification },
      });
    });

    it('delivers what is one more item of a waiting notification once', async () => {
      await store.putChannel(channel('a'), 10);
      await follow(database.following, 'a');
      for (const [id, at] of [
        ['one', SLOT],
        ['two', SLOT + 1],
        ['three', SLOT + 2],
      ] as const)
        await notifyAll(database.following, id, at);
      expect(await store.deliveriesOf('a phone', 10)).toHaveLength(2);
      const [turn] = await claim(SLOT + 700, 'lease');
      expect(turn?.deliveries.map(({ notification }) => notification?.items)).toEqual([
        ['Item one'],
        ['Item three', 'Item two'],
      ]);
    });

    it('leases channels that have waited longest, to one caller until the lease ends', async () => {
      for (const key of ['a', 'b']) await store.putChannel(channel(key), 10);
      await add('a phone', 'late', SLOT + 5);
      await add('b phone', 'two', SLOT + 1);
      await add('b phone', 'one', SLOT);
      await add('b phone', 'future', SLOT + 100);
      expect(await store.backlog(SLOT + 5)).toEqual({ channels: 2, since: SLOT });
      expect(await claimed(SLOT - 1, 'early')).toEqual([]);
      expect(await claimed(SLOT + 5, 'first', 1)).toEqual([['b phone', ['one', 'two']]]);
      expect(await claimed(SLOT + 5, 'second')).toEqual([['a phone', ['late']]]);
      await add('b phone', 'during', SLOT + 6);
      expect(await claimed(SLOT + 6, 'third')).toEqual([]);
      expect(await store.backlog(SLOT + 6)).toEqual({ channels: 0, since: null });
      expect((await claimed(SLOT + 35, 'fourth')).toSorted()).toEqual([
        ['a phone', ['late']],
        ['b phone', ['one', 'two', 'during']],
      ]);
    });

    it('has the next turn when more is due and not put off, and the channel is not blocked', async () => {
      await store.putChannel(channel('a'), 10);
      await add('a phone', 'one');
      await add('a phone', 'two', SLOT + 100);
      await claim(SLOT, 'first');
      await add('a phone', 'during', SLOT + 1);
      const results = { channelId: 'a phone', lease: 'first', deliveries: [{ messageId: 'one', ...delivered }] };
      await store.settleTurns([{ ...results, condition: ACTIVE }]);
      expect(await claimed(SLOT, 'second')).toEqual([]);
      expect(await claimed(SLOT + 1, 'third')).toEqual([['a phone', ['during']]]);
      const failing = { ...ACTIVE, failingSince: SLOT, failures: 1, problem: 'HTTP 500', blockedUntil: SLOT + 200 };
      const putOff = { messageId: 'during', ...delivered, state: 'waiting', dueAt: SLOT + 300 } as const;
      await store.settleTurns([{ channelId: 'a phone', lease: 'third', deliveries: [putOff], condition: failing }]);
      await add('a phone', 'later', SLOT + 2);
      expect(await claimed(SLOT + 199, 'fourth')).toEqual([]);
      expect(await claimed(SLOT + 200, 'fifth')).toEqual([['a phone', ['later', 'two']]]);
      expect(await claimed(SLOT + 300, 'sixth')).toEqual([['a phone', ['later', 'two', 'during']]]);
      expect(await store.channelsOf('a')).toMatchObject([{ failingSince: SLOT, failures: 1, problem: 'HTTP 500' }]);
      expect((await store.deliveriesOf('a phone', 10)).at(-1)).toEqual({
        ...{ messageId: 'one', type: 'test', dueAt: SLOT },
        ...delivered,
      });
    });

    it('stores results of a lease that has ended, but not its condition', async () => {
      await store.putChannel(channel('a'), 10);
      await add('a phone', 'one');
      await claim(SLOT, 'first');
      await claim(SLOT + 30, 'second');
      const result = { channelId: 'a phone', deliveries: [{ messageId: 'one', ...delivered }] };
      const off = { ...ACTIVE, state: 'off', problem: 'HTTP 410' } as const;
      await store.settleTurns([{ ...result, lease: 'first', condition: off }]);
      expect(await store.channelsOf('a')).toMatchObject([{ state: 'active' }]);
      expect(await store.deliveriesOf('a phone', 10)).toMatchObject([delivered]);
      expect(await claimed(SLOT + 31, 'third')).toEqual([]);
      await store.settleTurns([{ ...result, lease: 'second', condition: off }]);
      expect(await store.channelsOf('a')).toMatchObject([off]);
    });

    const failed = { state: 'waiting', attempts: 1, attemptedAt: SLOT, result: 'HTTP 500' } as const;

    it.each([
      ['was delivered by a later turn', delivered, failed, delivered],
      ['was delivered in the end', failed, delivered, delivered],
      ['was given up', { ...failed, state: 'refused' }, failed, { ...failed, state: 'refused' }],
    ] as const)('keeps what %s when the result of an earlier turn comes late', async (_, second, first, expected) => {
      await store.putChannel(channel('a'), 10);
      await add('a phone', 'one');
      await claim(SLOT, 'first');
      await claim(SLOT + 30, 'second');
      for (const [lease, result] of [
        ['second', second],
        ['first', first],
      ] as const) {
        const deliveries = [{ messageId: 'one', ...result }];
        await store.settleTurns([{ channelId: 'a phone', lease, deliveries, condition: ACTIVE }]);
      }
      expect(await store.deliveriesOf('a phone', 10)).toMatchObject([expected]);
    });

    it('keeps a channel stopped whose turn ends later, and repeats nothing when it is started', async () => {
      await store.putChannel(channel('a'), 10);
      await add('a phone', 'one');
      await claim(SLOT, 'lease');
      await store.putCondition('a phone', { ...ACTIVE, state: 'stopped' });
      const deliveries = [{ messageId: 'one', ...failed }];
      await store.settleTurns([{ channelId: 'a phone', lease: 'lease', deliveries, condition: ACTIVE }]);
      expect(await store.channelsOf('a')).toMatchObject([{ state: 'stopped' }]);
      await store.putCondition('a phone', ACTIVE);
      expect(await claimed(SLOT + 60, 'other')).toEqual([]);
    });

    it('replaces the condition of a channel that is still in the former state alone', async () => {
      await store.putChannel(channel('a'), 10);
      await store.putCondition('a phone', { ...ACTIVE, state: 'stopped' });
      expect(await store.putCondition('a phone', ACTIVE, 'off')).toBe(false);
      expect(await store.channelsOf('a')).toMatchObject([{ state: 'stopped' }]);
      expect(await store.putCondition('a phone', ACTIVE, 'stopped')).toBe(true);
      expect(await store.channelsOf('a')).toMatchObject([{ state: 'active' }]);
    });

    it.each([
      ['a channel that was removed', () => store.removeChannel('a', 'phone')],
      [
        'a user who was erased',
        () => database.erasures.eraseUser({ userKey: 'a', playerKey: undefined, hashes: [], facts: [] }),
      ],
      ['a channel that was replaced', () => store.putChannel(channel('a', { id: 'other' }), 10)],
    ] as const)('stores nothing of the turn of %s meanwhile', async (_, end) => {
      await store.putChannel(channel('a'), 10);
      await add('a phone', 'one');
      await claim(SLOT, 'lease');
      await end();
      const deliveries = [{ messageId: 'one', ...failed }];
      const condition = { ...ACTIVE, state: 'off', problem: 'HTTP 500' } as const;
      await store.settleTurns([{ channelId: 'a phone', lease: 'lease', deliveries, condition }]);
      expect(await store.deliveriesOf('a phone', 10)).toEqual([]);
      expect((await store.channelsOf('a')).map(({ id, state }) => [id, state])).toEqual(
        (await store.channel('other')) === undefined ? [] : [['other', 'active']],
      );
      expect(await claimed(SLOT + 60, 'later')).toEqual([]);
    });

    it('delivers nothing that waits for a channel that is switched off', async () => {
      await store.putChannel(channel('a'), 10);
      await add('a phone', 'one');
      expect(await store.putCondition('a phone', { ...ACTIVE, state: 'off', problem: 'gone' })).toBe(true);
      expect(await store.putCondition('nothing', ACTIVE)).toBe(false);
      await add('a phone', 'late');
      expect(await claimed(SLOT, 'first')).toEqual([]);
      expect(await store.deliveriesOf('a phone', 10)).toMatchObject([{ messageId: 'one', state: 'expired' }]);
      await store.putCondition('a phone', ACTIVE);
      await add('a phone', 'one');
      await add('a phone', 'two');
      expect(await claimed(SLOT, 'second')).toEqual([['a phone', ['two']]]);
    });

    it('lists deliveries, the latest first, and removes old ones', async () => {
      await store.putChannel(channel('a'), 10);
      for (const index of [0, 1, 2]) await add('a phone', String(index), SLOT + index);
      const ids = async (limit: number) =>
        (await store.deliveriesOf('a phone', limit)).map(({ messageId }) => messageId);
      expect(await ids(2)).toEqual(['2', '1']);
      expect(await store.removeDeliveriesBefore(SLOT)).toBe(0);
      expect(await store.removeDeliveriesBefore(SLOT + 2)).toBe(2);
      expect(await ids(10)).toEqual(['2']);
    });

    it('removes channels and deliveries of an erased user alone', async () => {
      for (const key of ['a', 'b']) {
        await store.putChannel(channel(key), 10);
        await add(`${key} phone`, 'one');
      }
      await database.erasures.eraseUser({ userKey: 'a', playerKey: undefined, hashes: [], facts: [] });
      expect(await store.channelsOf('a')).toEqual([]);
      expect(await store.deliveriesOf('a phone', 10)).toEqual([]);
      expect(await claimed(SLOT, 'lease')).toEqual([['b phone', ['one']]]);
      expect(await store.putChannel(channel('a'), 10)).toBe('unknown');
    });
  });
}
