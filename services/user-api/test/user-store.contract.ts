import type { UserDatabase } from '../src/user-database.ts';
import type { UserStore } from '../src/users/user-store.ts';
import { bits, DAY, definition, HOSTILE, playDay, player, profile, put, SLOT, user } from './stored-records.ts';

/** Contract of users, players and days of every {@link UserStore}. `open` returns an empty store each time. */
export function describeUserStore(adapter: string, open: () => Promise<UserDatabase>): void {
  describe(`user store in ${adapter}`, () => {
    let database: UserDatabase;
    let users: UserStore;
    beforeEach(async () => {
      database = await open();
      ({ users } = database);
    });
    afterEach(async () => {
      await database.close();
    });

    it('is empty at revision 0 with an empty outbox at first', async () => {
      expect(await users.revision()).toBe(0);
      expect(await users.count()).toBe(0);
      expect(await users.users(['a'])).toEqual(new Map());
      expect(await users.usersAfter(undefined, 10)).toEqual([]);
      expect(await users.evaluation()).toBeUndefined();
      expect(await users.definitions()).toEqual([]);
      expect(await database.outbox.backlog()).toBe(0);
      await expect(database.check()).resolves.toBeUndefined();
    });

    it('returns the requested users exactly as written, hostile names included', async () => {
      const hostile = HOSTILE.map((text) =>
        user(text, {
          gamertag: text,
          presence: { at: SLOT, isOnline: false, titleId: null, game: text },
          titles: [
            { titleId: text, minutes: 5, lastPlayedAt: SLOT },
            { titleId: '4d530064', minutes: Number.MAX_SAFE_INTEGER, lastPlayedAt: 0 },
          ],
          ratingsGiven: 7,
        }),
      );
      const unseen = user('unseen', { verified: false, presence: undefined, gamertag: '', titles: [] });
      await put(database, { users: [...hostile, unseen] });
      expect(await users.revision()).toBe(1);
      const keys = [...HOSTILE, 'unseen', 'nobody', 'NUL ', ''];
      const found = await users.users(keys);
      expect(found).toEqual(new Map([...hostile, unseen].map((one) => [one.key, one])));
      expect(await users.users(['NUL ', 'a.b', 'Unseen'])).toEqual(new Map());
      for (const key of keys) expect(await users.isKnown(key)).toBe(found.has(key));
      expect(await users.isKnown('Unseen')).toBe(false);
    });

    it('replaces a user and leaves other users unchanged', async () => {
      await put(database, { users: [user('a'), user('b')] });
      const later = user('a', {
        username: 'A',
        gamertag: 'Other',
        verified: false,
        presence: { at: SLOT + 300, isOnline: false, titleId: null, game: null },
        titles: [],
        ratingsGiven: 3,
      });
      await put(database, { users: [later] });
      expect(await users.users(['a', 'b'])).toEqual(
        new Map([
          ['a', later],
          ['b', user('b')],
        ]),
      );
      const online = { ...later, presence: { at: SLOT + 600, isOnline: true, titleId: '', game: '' } };
      await put(database, { users: [online] });
      expect(await users.users(['a'])).toEqual(new Map([['a', online]]));
    });

    it('finds all users of a gamertag in any case, and none for an empty gamertag', async () => {
      const [a, b, none] = [
        user('a', { gamertag: 'Ember Fox' }),
        user('b', { gamertag: 'EMBER FOX ' }),
        user('c', { gamertag: '' }),
      ];
      await put(database, { users: [a, b, none, user('d', { gamertag: '__proto__' })] });
      const found = await users.usersByGamertag(['ember fox', '__proto__', 'nobody', '']);
      expect([...found.keys()].toSorted()).toEqual(['__proto__', 'ember fox']);
      expect(found.get('ember fox')?.toSorted((x, y) => (x.key < y.key ? -1 : 1))).toEqual([a, b]);
      await put(database, { users: [{ ...a, gamertag: 'Other' }] });
      expect((await users.usersByGamertag(['ember fox'])).get('ember fox')).toEqual([b]);
      expect((await users.usersByGamertag(['other'])).get('other')).toMatchObject([{ key: 'a' }]);
    });

    it('pages through users online, all or of one title, by key in code-point order', async () => {
      const seen = (key: string, at: number, titleId: string | null, isOnline = true) =>
        user(key, { username: `${key}!`, presence: { at, isOnline, titleId, game: titleId === null ? null : key } });
      await put(database, {
        users: [
          ...[seen('b', SLOT, '4d530064'), seen('\u{1F3C1}', SLOT + 5, '$where'), seen('\uFFFD', SLOT, null)],
          ...[seen('a', SLOT, '4d530064'), seen('A', SLOT, '4d530065'), seen('late', SLOT - 1, '4d530064')],
          ...[seen('away', SLOT, null, false), user('unseen', { presence: undefined })],
        ],
      });
      const asked = { since: SLOT, limit: 10, offset: 0 };
      const names = async (changes: Partial<Parameters<UserStore['onlineUsers']>[0]> = {}) => {
        const { users: found, total } = await users.onlineUsers({ ...asked, ...changes });
        return [total, ...found.map(({ username }) => username)];
      };
      expect(await names()).toEqual([5, 'A!', 'a!', 'b!', '\uFFFD!', '\u{1F3C1}!']);
      expect(await names({ limit: 2, offset: 1 })).toEqual([5, 'a!', 'b!']);
      expect(await names({ offset: 5 })).toEqual([5]);
      expect(await names({ titleId: '4d530064' })).toEqual([2, 'a!', 'b!']);
      expect(await names({ titleId: '4d530064', limit: 1, offset: 1 })).toEqual([2, 'b!']);
      expect(await names({ titleId: '__proto__' })).toEqual([0]);
      expect(await names({ since: SLOT + 5 })).toEqual([1, '\u{1F3C1}!']);
      expect((await users.onlineUsers({ ...asked, titleId: '$where' })).users).toEqual([
        { username: '\u{1F3C1}!', at: SLOT + 5, titleId: '$where', game: '\u{1F3C1}' },
      ]);
      await put(database, { users: [seen('a', SLOT + 300, null, false), seen('away', SLOT + 300, '4d530064')] });
      await put(database, { retiredUsers: ['b'] });
      expect(await names()).toEqual([4, 'A!', 'away!', '\uFFFD!', '\u{1F3C1}!']);
      expect(await names({ titleId: '4d530064' })).toEqual([1, 'away!']);
    });

    it('pages through users by key in code-point order', async () => {
      const keys = ['b', 'A', 'a', '\u{1F3C1}', '\uFFFD', 'ab'];
      await put(database, { users: keys.map((key) => user(key)) });
      const names = async (after: string | undefined, limit: number) =>
        (await users.usersAfter(after, limit)).map(({ key }) => key);
      expect(await names(undefined, 10)).toEqual(['A', 'a', 'ab', 'b', '\uFFFD', '\u{1F3C1}']);
      expect(await names('a', 2)).toEqual(['ab', 'b']);
      expect(await names('aa', 1)).toEqual(['ab']);
      expect(await names('\u{1F3C1}', 5)).toEqual([]);
    });

    const BEST = [
      [SLOT, 4],
      [SLOT + 300, 1],
    ] as const;

    it('returns players and their standings exactly as written', async () => {
      const standings = new Map([
        ['__proto__', { rank: null, revision: 3, best: [] }],
        ['4d530064:1', { rank: 1, revision: Number.MAX_SAFE_INTEGER, best: BEST }],
      ]);
      const players = [player('A b', ['4d530064:1', '4d530064:2']), { key: 'NUL \0', standings, hosted: 9 }];
      await put(database, { players });
      const found = await users.players(['a b', 'NUL \0', 'c', 'NUL ']);
      expect(found).toEqual(new Map(players.map((one) => [one.key, one])));
      await put(database, { players: [{ key: 'a b', standings: new Map(), hosted: 4 }] });
      expect((await users.players(['a b'])).get('a b')).toEqual({ key: 'a b', standings: new Map(), hosted: 4 });
    });

    it('returns the requested play days exactly as written', async () => {
      const titles = new Map([
        ['__proto__', bits([0, 287])],
        ['4d530064', bits([7, 8, 9])],
      ]);
      const days = [
        { userKey: 'a', day: DAY, titles },
        playDay('a', [5], '4d530064', DAY - 1),
        playDay('NUL \0 b', [6]),
      ];
      await put(database, { playDays: [...days, playDay('a', [1], '4d530064', DAY - 2), playDay('c', [1])] });
      const found = await users.playDays([
        { key: 'a', day: DAY },
        { key: 'a', day: DAY - 1 },
        { key: 'NUL \0 b', day: DAY },
        { key: 'NUL ', day: DAY },
        { key: 'b', day: DAY },
      ]);
      expect(found).toHaveLength(3);
      expect(found).toEqual(expect.arrayContaining(days));

      const moved = playDay('a', [1, 2], '00000001');
      await put(database, { playDays: [moved] });
      expect(await users.playDays([{ key: 'a', day: DAY }])).toEqual([moved]);
    });

    it('returns the requested host days exactly as written', async () => {
      const days = [
        { playerKey: 'a', day: DAY, slots: bits([0, 287]) },
        { playerKey: '__proto__', day: DAY - 1, slots: bits([3]) },
      ];
      await put(database, { hostDays: [...days, { playerKey: 'a', day: DAY - 1, slots: bits([1]) }] });
      const found = await users.hostDays([
        { key: 'a', day: DAY },
        { key: '__proto__', day: DAY - 1 },
        { key: 'b', day: DAY },
      ]);
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining(days));
      const later = { playerKey: 'a', day: DAY, slots: bits([0, 1, 287]) };
      await put(database, { hostDays: [later] });
      expect(await users.hostDays([{ key: 'a', day: DAY }])).toEqual([later]);
    });

    it('finds the few existing rows for tens of thousands of keys', async () => {
      await put(database, { users: [user('key 0'), user('key 24999')], playDays: [playDay('key 24999', [1])] });
      const keys = Array.from({ length: 25_000 }, (_, index) => `key ${index}`);
      expect([...(await users.users(keys)).keys()].toSorted()).toEqual(['key 0', 'key 24999']);
      const days = keys.flatMap((key) => [DAY - 1, DAY].map((day) => ({ key, day })));
      expect(await users.playDays(days)).toEqual([playDay('key 24999', [1])]);
    });

    it('removes exactly the play and host days before a day', async () => {
      const slots = bits([1]);
      await put(database, {
        users: [user('a')],
        playDays: [DAY - 2, DAY - 1, DAY].map((day) => playDay('a', [1], '4d530064', day)),
        hostDays: [DAY - 2, DAY - 1, DAY].map((day) => ({ playerKey: 'p', day, slots })),
      });
      expect(await users.removeDaysBefore(DAY - 1)).toBe(2);
      expect(await users.removeDaysBefore(DAY - 1)).toBe(0);
      const listDayKeys = (key: string) => [DAY - 2, DAY - 1, DAY].map((day) => ({ key, day }));
      const days = [...(await users.playDays(listDayKeys('a'))), ...(await users.hostDays(listDayKeys('p')))];
      expect(days.map(({ day }) => day).toSorted()).toEqual([DAY - 1, DAY - 1, DAY, DAY]);
      expect(await users.users(['a'])).toEqual(new Map([['a', user('a')]]));
    });

    it('retires users and players, and no user who has a profile', async () => {
      await put(database, { users: [user('a'), user('b'), user('$set')], players: [player('A', []), player('B', [])] });
      await database.profiles.writeProfile({ profile: profile('b'), facts: [] });
      expect(await users.keysWithContent(['a', 'b', 'nobody'])).toEqual(new Set(['b']));
      await put(database, { retiredUsers: ['a', '$set', 'nobody'], retiredPlayers: ['a', 'nobody'] });
      expect((await users.usersAfter(undefined, 9)).map(({ key }) => key)).toEqual(['b']);
      expect((await users.playersAfter(undefined, 9)).map(({ key }) => key)).toEqual(['b']);

      const revision = await users.revision();
      await put(database, { users: [user('c')] });
      await expect(put(database, { retiredUsers: ['c', 'b'] })).rejects.toMatchObject({ code: 'unavailable' });
      expect((await users.usersAfter(undefined, 9)).map(({ key }) => key)).toEqual(['b', 'c']);
      expect(await users.revision()).toBe(revision + 1);
    });

    it('pages through players by key', async () => {
      await put(database, { players: ['b', 'A', '\u{1F3C1}', 'ab'].map((key) => player(key, [])) });
      const names = async (after: string | undefined, limit: number) =>
        (await users.playersAfter(after, limit)).map(({ key }) => key);
      expect(await names(undefined, 3)).toEqual(['a', 'ab', 'b']);
      expect(await names('b', 3)).toEqual(['\u{1F3C1}']);
    });

    it('keeps every definition in its latest version', async () => {
      const first = [definition(2, { name: '$where' }), definition(10), definition(1, { isHidden: true })];
      await put(database, { definitions: first });
      expect((await users.definitions()).map(({ id }) => id)).toEqual([1, 2, 10]);
      const changed = definition(2, {
        group: { groupId: 'site', titleId: null, displayName: '__proto__', imageUrl: '' },
        rule: { kind: 'leaderboard-rank', rank: 3, titleId: undefined },
      });
      await put(database, { definitions: [changed] });
      expect(await users.definitions()).toEqual([first[2], changed, first[1]]);
    });

    it('stores the progress of the evaluation', async () => {
      await put(database, { evaluation: { digest: 'd1', after: undefined, done: false } });
      expect(await users.evaluation()).toEqual({ digest: 'd1', after: undefined, done: false });
      await put(database, { evaluation: { digest: 'd1', after: 'NUL \0 $where', done: false } });
      await put(database, { users: [user('a')] });
      expect(await users.evaluation()).toEqual({ digest: 'd1', after: 'NUL \0 $where', done: false });
      await put(database, { evaluation: { digest: 'd2', after: undefined, done: true } });
      expect(await users.evaluation()).toEqual({ digest: 'd2', after: undefined, done: true });
    });
  });
}
