import type { CatalogStore } from '../src/domain/catalog-store.ts';
import type { KnownPerson, PlayerCommit } from '../src/domain/player-store.ts';
import { nextCommit, put, times } from './stored-boards.ts';
import { fact, unwritable } from './title-store.contract.ts';

/** What every PlayerStore promises. `open` gives an empty catalog each time. */
export function describePlayerStore(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`${adapter} as a store of players`, () => {
    let catalog: CatalogStore;
    beforeEach(async () => {
      catalog = await open();
    });
    afterEach(async () => {
      await catalog.close();
    });

    const person = (userKey: string, gamertag: string, revision = 1): KnownPerson => ({ userKey, gamertag, revision });
    const commit = async (change: Partial<PlayerCommit>) => {
      const { revision } = await catalog.boards.changeLog();
      return { expectedRevision: revision, revision: revision + 1, put: [], forgotten: [], facts: [], ...change };
    };
    const learn = async (...people: KnownPerson[]) => {
      expect(await catalog.players.commitPeople(await commit({ put: people }))).toBe(true);
    };

    it('knows nobody at first', async () => {
      expect(await catalog.players.people(['a'])).toEqual(new Map());
      expect(await catalog.players.gamertags(['a'])).toEqual(new Map());
      expect(await catalog.players.people([])).toEqual(new Map());
      expect(await catalog.players.forgotten(['a'])).toEqual(new Set());
      expect(await catalog.players.forgotten([])).toEqual(new Set());
      expect(await catalog.players.gamertags([])).toEqual(new Map());
    });

    it('gives people back exactly, by user and by player', async () => {
      const people = [person('__proto__', 'Émber Fox'), person('$where', 'NUL \0 🏁', 7), person('nobody', '')];
      await learn(...people);
      expect(await catalog.players.people(['nobody', '__proto__', 'x', '$where'])).toEqual(
        new Map(people.map((one) => [one.userKey, one])),
      );
      expect(await catalog.players.gamertags(['émber fox', 'nul \0 🏁', '', 'x'])).toEqual(
        new Map([
          ['émber fox', 'Émber Fox'],
          ['nul \0 🏁', 'NUL \0 🏁'],
        ]),
      );
    });

    it('has the last word of a person, and one of several with a gamertag', async () => {
      await learn(person('b', 'Fox'), person('a', 'FOX'));
      expect(await catalog.players.gamertags(['fox'])).toEqual(new Map([['fox', 'FOX']]));
      await learn(person('a', 'Wolf', 2));
      expect(await catalog.players.gamertags(['fox', 'wolf'])).toEqual(
        new Map([
          ['fox', 'Fox'],
          ['wolf', 'Wolf'],
        ]),
      );
    });

    it('forgets who is taken out, and puts facts into the outbox', async () => {
      await learn(person('a', 'Fox'));
      expect(await catalog.players.commitPeople(await commit({ forgotten: ['a', 'x'], facts: [fact('1')] }))).toBe(
        true,
      );
      expect(await catalog.players.people(['a'])).toEqual(new Map());
      expect(await catalog.players.gamertags(['fox'])).toEqual(new Map());
      expect(await catalog.players.forgotten(['a', 'b', 'x', '__proto__'])).toEqual(new Set(['a', 'x']));
      expect(await catalog.players.commitPeople(await commit({ forgotten: ['a'] }))).toBe(true);
      expect((await catalog.outbox.pending(9)).map(({ id }) => id)).toEqual(['1']);
    });

    it('and boards make each other’s commits stale', async () => {
      const stale = await commit({ put: [person('a', 'Fox')], facts: [fact('1')] });
      await put(catalog.boards, { entries: times(['Fox', 1000]) });
      expect(await catalog.players.commitPeople(stale)).toBe(false);
      expect(await catalog.players.people(['a'])).toEqual(new Map());
      expect(await catalog.outbox.backlog()).toBe(0);

      const boards = await nextCommit(catalog.boards, {});
      const { lastId, lastChangedAt } = await catalog.boards.changeLog();
      await learn(person('a', 'Fox'));
      expect(await catalog.boards.commit(boards)).toBe(false);
      expect(await catalog.boards.changeLog()).toMatchObject({ lastId, lastChangedAt });
    });

    it('writes nothing of a commit that fails', async () => {
      const failing = await commit({ put: [person('a', 'Fox')], facts: [unwritable] });
      await expect(catalog.players.commitPeople(failing)).rejects.toThrow();
      expect(await catalog.players.people(['a'])).toEqual(new Map());
    });
  });
}
