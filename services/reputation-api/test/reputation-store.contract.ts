import type { ReputationStore } from '../src/open-store.ts';
import { fact, readBack, ratedUser, put, rating, unwritable } from './stored-ratings.ts';

/** Contract of every reputation store. `open` returns an empty store each time. */
export function describeReputationStore(adapter: string, open: () => Promise<ReputationStore>): void {
  describe(`reputation store in ${adapter}`, () => {
    let store: ReputationStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    const facts = async () => (await store.outbox.pending(100)).map(({ id }) => id);

    it('is empty at first', async () => {
      const asked = { users: ['a'], ratings: [{ profileKey: 'a', raterKey: 'b' }], maybeErased: ['m'] };
      expect(await readBack(store, asked)).toEqual({
        revision: 0,
        people: [undefined],
        ratings: [undefined],
        erased: [],
      });
      expect(await store.readProfile({ profileKey: 'a', feedbackLimit: 30, viewerKey: 'b' })).toBeUndefined();
      expect(await store.ratingsBy('a', { limit: 10 })).toEqual([]);
      expect(await store.ratingsOf('a', { limit: 10 })).toEqual([]);
      expect(await store.outbox.backlog()).toBe(0);
      await store.check();
    });

    it('returns users and ratings exactly as written', async () => {
      const users = [
        ratedUser('a', { username: 'A', playerKey: 'é 🏁', ratingCount: 2, starSum: 9, ratingsGiven: 1 }),
        ratedUser('b', { revision: null, isBarred: true }),
        ratedUser('__proto__', { revision: Number.MAX_SAFE_INTEGER }),
      ];
      const ratings = [
        rating('b', 'a', { comment: `NUL \0, 🏁, '"; DROP TABLE rating; --`, isHidden: true, createdAt: 0 }),
        rating('__proto__', 'a', { raterUsername: '__Proto__', stars: 5, counts: false, comment: '' }),
      ];
      await put(store, { users, ratings, erased: ['m', '$ne'], facts: [fact('1')] });
      const keys = { users: ['a', 'b', '__proto__'], ratings, maybeErased: ['m', 'other', '$ne'] };
      expect(await readBack(store, keys)).toEqual({ revision: 1, people: users, ratings, erased: ['m', '$ne'] });
      expect(await facts()).toEqual(['1']);
    });

    it('replaces and removes rows and leaves others unchanged', async () => {
      await put(store, {
        users: [ratedUser('a'), ratedUser('b'), ratedUser('c')],
        ratings: [rating('a', 'b'), rating('b', 'c'), rating('c', 'a')],
      });
      const changed = ratedUser('b', { ratingCount: 7, revision: null });
      await put(store, {
        users: [changed],
        removedUsers: ['c', 'nobody'],
        ratings: [rating('b', 'c', { stars: 1 })],
        removedRatings: [
          { profileKey: 'b', raterKey: 'a' },
          { profileKey: 'nobody', raterKey: 'a' },
        ],
        erased: ['m'],
      });
      await put(store, { erased: ['m'] });
      const asked = [rating('a', 'b'), rating('b', 'c'), rating('c', 'a')];
      expect(await readBack(store, { users: ['a', 'b', 'c'], ratings: asked, maybeErased: ['m'] })).toEqual({
        revision: 3,
        people: [ratedUser('a'), changed, undefined],
        ratings: [undefined, rating('b', 'c', { stars: 1 }), rating('c', 'a')],
        erased: ['m'],
      });
    });

    it('removes the marks of users who are allowed again', async () => {
      await put(store, { erased: ['m', 'n'] });
      await put(store, { allowed: ['m', 'nobody'] });
      expect((await readBack(store, { maybeErased: ['m', 'n', 'nobody'] })).erased).toEqual(['n']);
    });

    it('changes nothing when the callback returns no change or throws', async () => {
      await put(store, { users: [ratedUser('a')] });
      expect(await store.change({}, () => ({ result: 'nothing', change: undefined }))).toBe('nothing');
      const failing = store.change({}, () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect((await readBack(store, { users: ['a'] })).revision).toBe(1);
    });

    it('rolls back the whole change when a part of it fails', async () => {
      await put(store, { users: [ratedUser('a')], facts: [fact('one')] });
      const half = put(store, {
        users: [ratedUser('b')],
        removedUsers: ['a'],
        ratings: [rating('a', 'b')],
        erased: ['m'],
        facts: [fact('two'), unwritable],
      });
      await expect(half).rejects.toThrow();
      expect(await readBack(store, { users: ['a', 'b'], ratings: [rating('a', 'b')], maybeErased: ['m'] })).toEqual({
        revision: 1,
        people: [ratedUser('a'), undefined],
        ratings: [undefined],
        erased: [],
      });
      expect(await facts()).toEqual(['one']);
    });

    it('serialises concurrent changes, each based on the previous one', async () => {
      const addOne = () =>
        store.change({ users: ['a'] }, ({ revision, users }) => {
          const before = users.find(({ key }) => key === 'a') ?? ratedUser('a');
          const after = { ...before, ratingCount: before.ratingCount + 1 };
          const nothing = { removedUsers: [], ratings: [], removedRatings: [], erased: [] };
          const facts = [fact(`${revision + 1}`)];
          return { result: after.ratingCount, change: { revision: revision + 1, users: [after], facts, ...nothing } };
        });
      const results = await Promise.all(Array.from({ length: 8 }, addOne));
      expect(results.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect((await readBack(store, { users: ['a'] })).people[0]?.ratingCount).toBe(8);
      expect(await facts()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    });

    it('returns ratings that count, newest first, then by username in code-point order', async () => {
      const ratings = [
        rating('b', 'a', { raterUsername: 'b' }),
        rating('c', 'a', { raterUsername: 'C' }),
        rating('_', 'a', { raterUsername: '_' }),
        rating('late', 'a', { createdAt: 1_800_000_001 }),
        rating('barred', 'a', { createdAt: 1_800_000_002, counts: false }),
        rating('early', 'a', { createdAt: 1_799_999_999 }),
        rating('b', 'a2'),
      ];
      await put(store, { users: [ratedUser('a')], ratings });
      const read = (feedbackLimit: number, viewerKey?: string) =>
        store.readProfile({ profileKey: 'a', feedbackLimit, viewerKey });
      const all = await read(30, 'c');
      expect(all?.profile).toEqual(ratedUser('a'));
      expect(all?.feedback.map(({ raterKey }) => raterKey)).toEqual(['late', 'c', '_', 'b', 'early']);
      expect(all?.own).toEqual(ratings[1]);
      expect((await read(2))?.feedback.map(({ raterKey }) => raterKey)).toEqual(['late', 'c']);
      expect((await read(2))?.own).toBeUndefined();
      expect((await read(2, 'barred'))?.own).toBeUndefined();
      expect((await read(2, 'nobody'))?.own).toBeUndefined();
    });

    it('skips the newest feedback of a page with an offset', async () => {
      const ratings = ['a', 'b', 'c', 'd'].map((key, index) => rating(key, 'p', { createdAt: 1_800_000_000 - index }));
      await put(store, { users: [ratedUser('p')], ratings });
      const keys = async (feedbackOffset: number) => {
        const read = await store.readProfile({ profileKey: 'p', feedbackLimit: 2, feedbackOffset, viewerKey: 'a' });
        expect(read?.own).toEqual(ratings[0]);
        return read?.feedback.map(({ raterKey }) => raterKey);
      };
      expect([await keys(0), await keys(1), await keys(3), await keys(4)]).toEqual([['a', 'b'], ['b', 'c'], ['d'], []]);
    });

    it('pages through the ratings given by a user, newest first, without those that were removed', async () => {
      const ratings = [
        rating('a', 'p1', { createdAt: 5, counts: false }),
        rating('a', 'p3', { createdAt: 7, isHidden: true, comment: 'x' }),
        rating('a', 'p2', { createdAt: 7 }),
        rating('a', 'p4', { createdAt: 0, stars: 0 }),
        rating('ab', 'p1', { createdAt: 9 }),
      ];
      const users = ['p1', 'p2', 'p3', 'p4'].map((key) => ratedUser(key, { username: key.toUpperCase() }));
      await put(store, { users, ratings });
      const [first, third, second] = ratings.map((one) => ({ ...one, profileUsername: one.profileKey.toUpperCase() }));
      expect(await store.ratingsGiven('a', { offset: 0, limit: 10 })).toEqual([second, third, first]);
      expect(await store.ratingsGiven('a', { offset: 1, limit: 1 })).toEqual([third]);
      expect(await store.ratingsGiven('a', { offset: 3, limit: 1 })).toEqual([]);
      expect(await store.ratingsGiven('$ne', { offset: 0, limit: 10 })).toEqual([]);
      expect(await store.readUser('p1')).toEqual(users[0]);
      expect(await store.readUser('nobody')).toBeUndefined();
    });

    it('returns reported ratings with the text that was reported, the oldest report first', async () => {
      const reportOf = (reportedAt: number, reportReason: string | null) => ({
        ...{ reportedAt, reportReason },
        reportedComment: `as reported \0 ${reportedAt}`,
      });
      const ratings = [
        rating('a', 'p', { comment: 'Rude', ...reportOf(7, null) }),
        rating('b', 'p', { comment: '', ...reportOf(5, `NUL \0, 🏁, '"; DROP TABLE rating; --`) }),
        rating('c', 'p', { comment: 'Loud' }),
        rating('d', 'p', reportOf(6, null)),
      ];
      await put(store, { users: [ratedUser('p', { username: 'P' })], ratings });
      const [late, early, , removed] = ratings.map((one) => ({ ...one, profileUsername: 'P' }));
      expect(await store.reportedRatings(10)).toEqual([early, removed, late]);
      expect(await store.reportedRatings(1)).toEqual([early]);
      await put(store, { ratings: [rating('b', 'p'), rating('d', 'p')], removedRatings: [rating('a', 'p')] });
      expect(await store.reportedRatings(10)).toEqual([]);
    });

    it('returns the received ratings as stored, whether they count or not', async () => {
      const ratings = [
        rating('a', 'p', { counts: false, comment: 'x', createdAt: 7, reportedAt: 5, reportReason: 'r' }),
        rating('b', 'p', { counts: false, isHidden: true, stars: 0, createdAt: 0 }),
        rating('c', 'p'),
      ];
      await put(store, { users: [ratedUser('p')], ratings });
      expect(await store.ratingsOf('p', { limit: 10 })).toEqual(ratings);
      expect(await store.ratingsOf('p', { after: 'a', limit: 1 })).toEqual([ratings[1]]);
    });

    it('pages through all ratings given, with the names of the rated users, by their keys', async () => {
      const ratings = [
        rating('a', 'p1', { createdAt: 5, counts: false }),
        rating('a', 'p2', { createdAt: 0, stars: 0, isHidden: true }),
        rating('a', 'p3', { createdAt: 7, comment: 'x' }),
        rating('ab', 'p1'),
      ];
      const users = ['p1', 'p2', 'p3'].map((key) => ratedUser(key, { username: key.toUpperCase() }));
      await put(store, { users, ratings });
      const named = ratings.map((one) => ({ ...one, profileUsername: one.profileKey.toUpperCase() }));
      expect(await store.namedRatingsBy('a', { limit: 10 })).toEqual(named.slice(0, 3));
      expect(await store.namedRatingsBy('a', { after: 'p1', limit: 1 })).toEqual([named[1]]);
      expect(await store.namedRatingsBy('a', { after: 'p3', limit: 1 })).toEqual([]);
      expect(await store.namedRatingsBy('$ne', { limit: 10 })).toEqual([]);
    });

    it('pages through the ratings given by and received by a user', async () => {
      const keys = ['-', '.', ' x', '0', 'a', 'a b', 'a.', 'ab', '_', 'z'];
      const ratingsByA = keys.map((key) => rating('a', key));
      const received = keys.map((key) => rating(key, 'a', { counts: false }));
      await put(store, {
        ratings: [...ratingsByA, ...received, rating('a ', 'x'), rating('x', 'a.'), rating('x', 'ab')],
      });
      const inOrder = keys.toSorted((one, other) => (one < other ? -1 : 1));
      const pages = async (list: typeof store.ratingsBy, side: 'profileKey' | 'raterKey') => {
        const found: string[] = [];
        for (let after: string | undefined, size = 3; size === 3; after = found.at(-1)) {
          const page = await list('a', { after, limit: 3 });
          size = page.length;
          found.push(...page.map((key) => key[side]));
        }
        return found;
      };
      expect(await pages((key, page) => store.ratingsBy(key, page), 'profileKey')).toEqual(inOrder);
      expect(await pages((key, page) => store.ratingsOf(key, page), 'raterKey')).toEqual(inOrder);
      await put(store, { users: keys.map((key) => ratedUser(key)) });
      expect(await pages((key, page) => store.namedRatingsBy(key, page), 'profileKey')).toEqual(inOrder);
      expect(await store.ratingsBy('z', { limit: 2 })).toEqual([{ profileKey: 'a', raterKey: 'z' }]);
    });

    it('writes and reads hundreds of users and ratings in one change', async () => {
      const many = Array.from({ length: 600 }, (_, index) => `p${index}`);
      await put(store, {
        users: many.map((key) => ratedUser(key)),
        ratings: many.map((key) => rating(key, 'a')),
        facts: many.map(fact),
      });
      const found = await readBack(store, { users: many, ratings: many.map((key) => rating(key, 'a')) });
      expect(found.people.every((one) => one !== undefined)).toBe(true);
      expect(found.ratings.every((one) => one !== undefined)).toBe(true);
      expect(await store.outbox.backlog()).toBe(600);
    });
  });
}
