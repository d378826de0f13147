import type { ReputationStore } from '../src/domain/reputation-store.ts';
import { fact, look, person, put, rating, unwritable } from './stored-ratings.ts';

/** What every store of ratings promises. `open` gives an empty one each time. */
export function describeReputationStore(adapter: string, open: () => Promise<ReputationStore>): void {
  describe(`${adapter} as a store of ratings`, () => {
    let store: ReputationStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    const facts = async () => (await store.outbox.pending(100)).map(({ id }) => id);

    it('begins with nothing', async () => {
      const asked = { people: ['a'], ratings: [{ profileKey: 'a', raterKey: 'b' }], mayBeForgotten: ['m'] };
      expect(await look(store, asked)).toEqual({
        revision: 0,
        people: [undefined],
        ratings: [undefined],
        forgotten: [],
      });
      expect(await store.readProfile({ profileKey: 'a', feedbackLimit: 30, viewerKey: 'b' })).toBeUndefined();
      expect(await store.ratingsBy('a', { limit: 10 })).toEqual([]);
      expect(await store.ratingsOf('a', { limit: 10 })).toEqual([]);
      expect(await store.outbox.backlog()).toBe(0);
      await store.check();
    });

    it('gives back what was written, exactly', async () => {
      const people = [
        person('a', { username: 'A', playerKey: 'é 🏁', ratingCount: 2, starSum: 9, ratingsGiven: 1 }),
        person('b', { revision: null, isBarred: true }),
        person('__proto__', { revision: Number.MAX_SAFE_INTEGER }),
      ];
      const ratings = [
        rating('b', 'a', { comment: `NUL \0, 🏁, '"; DROP TABLE rating; --`, isHidden: true, createdAt: 0 }),
        rating('__proto__', 'a', { raterUsername: '__Proto__', stars: 5, counts: false, comment: '' }),
      ];
      await put(store, { people, ratings, forgotten: ['m', '$ne'], facts: [fact('1')] });
      const keys = { people: ['a', 'b', '__proto__'], ratings, mayBeForgotten: ['m', 'other', '$ne'] };
      expect(await look(store, keys)).toEqual({ revision: 1, people, ratings, forgotten: ['m', '$ne'] });
      expect(await facts()).toEqual(['1']);
    });

    it('replaces, takes out, and leaves the others', async () => {
      await put(store, {
        people: [person('a'), person('b'), person('c')],
        ratings: [rating('a', 'b'), rating('b', 'c'), rating('c', 'a')],
      });
      const changed = person('b', { ratingCount: 7, revision: null });
      await put(store, {
        people: [changed],
        removedPeople: ['c', 'nobody'],
        ratings: [rating('b', 'c', { stars: 1 })],
        removedRatings: [
          { profileKey: 'b', raterKey: 'a' },
          { profileKey: 'nobody', raterKey: 'a' },
        ],
        forgotten: ['m'],
      });
      await put(store, { forgotten: ['m'] });
      const asked = [rating('a', 'b'), rating('b', 'c'), rating('c', 'a')];
      expect(await look(store, { people: ['a', 'b', 'c'], ratings: asked, mayBeForgotten: ['m'] })).toEqual({
        revision: 3,
        people: [person('a'), changed, undefined],
        ratings: [undefined, rating('b', 'c', { stars: 1 }), rating('c', 'a')],
        forgotten: ['m'],
      });
    });

    it('changes nothing where nothing is worked out, or working out fails', async () => {
      await put(store, { people: [person('a')] });
      expect(await store.change({}, () => ({ result: 'nothing', change: undefined }))).toBe('nothing');
      const failing = store.change({}, () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect((await look(store, { people: ['a'] })).revision).toBe(1);
    });

    it('changes nothing at all when a part of the change fails', async () => {
      await put(store, { people: [person('a')], facts: [fact('one')] });
      const half = put(store, {
        people: [person('b')],
        removedPeople: ['a'],
        ratings: [rating('a', 'b')],
        forgotten: ['m'],
        facts: [fact('two'), unwritable],
      });
      await expect(half).rejects.toThrow();
      expect(await look(store, { people: ['a', 'b'], ratings: [rating('a', 'b')], mayBeForgotten: ['m'] })).toEqual({
        revision: 1,
        people: [person('a'), undefined],
        ratings: [undefined],
        forgotten: [],
      });
      expect(await facts()).toEqual(['one']);
    });

    it('makes changes at once one after the other, each on what the others have left', async () => {
      const addOne = () =>
        store.change({ people: ['a'] }, ({ revision, people }) => {
          const before = people.get('a') ?? person('a');
          const after = { ...before, ratingCount: before.ratingCount + 1 };
          const nothing = { removedPeople: [], ratings: [], removedRatings: [], forgotten: [] };
          const facts = [fact(`${revision + 1}`)];
          return { result: after.ratingCount, change: { revision: revision + 1, people: [after], facts, ...nothing } };
        });
      const results = await Promise.all(Array.from({ length: 8 }, addOne));
      expect(results.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect((await look(store, { people: ['a'] })).people[0]?.ratingCount).toBe(8);
      expect(await facts()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    });

    it('shows what counts, the newest first, then by username in code-point order', async () => {
      const ratings = [
        rating('b', 'a', { raterUsername: 'b' }),
        rating('c', 'a', { raterUsername: 'C' }),
        rating('_', 'a', { raterUsername: '_' }),
        rating('late', 'a', { createdAt: 1_800_000_001 }),
        rating('barred', 'a', { createdAt: 1_800_000_002, counts: false }),
        rating('early', 'a', { createdAt: 1_799_999_999 }),
        rating('b', 'a2'),
      ];
      await put(store, { people: [person('a')], ratings });
      const read = (feedbackLimit: number, viewerKey?: string) =>
        store.readProfile({ profileKey: 'a', feedbackLimit, viewerKey });
      const all = await read(30, 'c');
      expect(all?.profile).toEqual(person('a'));
      expect(all?.feedback.map(({ raterKey }) => raterKey)).toEqual(['late', 'c', '_', 'b', 'early']);
      expect(all?.own).toEqual(ratings[1]);
      expect((await read(2))?.feedback.map(({ raterKey }) => raterKey)).toEqual(['late', 'c']);
      expect((await read(2))?.own).toBeUndefined();
      expect((await read(2, 'barred'))?.own).toBeUndefined();
      expect((await read(2, 'nobody'))?.own).toBeUndefined();
    });

    it('lists whom somebody has rated and who has rated somebody, page by page', async () => {
      const keys = ['-', '.', ' x', '0', 'a', 'a b', 'a.', 'ab', '_', 'z'];
      const given = keys.map((key) => rating('a', key));
      const received = keys.map((key) => rating(key, 'a', { counts: false }));
      await put(store, { ratings: [...given, ...received, rating('a ', 'x'), rating('x', 'a.'), rating('x', 'ab')] });
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
      expect(await store.ratingsBy('z', { limit: 2 })).toEqual([{ profileKey: 'a', raterKey: 'z' }]);
    });

    it('takes hundreds of people and ratings at once', async () => {
      const many = Array.from({ length: 600 }, (_, index) => `p${index}`);
      await put(store, {
        people: many.map((key) => person(key)),
        ratings: many.map((key) => rating(key, 'a')),
        facts: many.map(fact),
      });
      const found = await look(store, { people: many, ratings: many.map((key) => rating(key, 'a')) });
      expect(found.people.every((one) => one !== undefined)).toBe(true);
      expect(found.ratings.every((one) => one !== undefined)).toBe(true);
      expect(await store.outbox.backlog()).toBe(600);
    });
  });
}
