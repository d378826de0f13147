import type { CatalogStore } from '../src/open-store.ts';
import type { TrackedUser, PlayerCommit } from '../src/players/players.queries.ts';
import { nextCommit, put, times } from './stored-boards.ts';
import { fact, unserializableFact } from './title-store.contract.ts';

/** Contract tests of PlayerQueries. `open` returns an empty catalog each time. */
export function describePlayerStore(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`${adapter} as a player store`, () => {
    let catalog: CatalogStore;
    beforeEach(async () => {
      catalog = await open();
    });
    afterEach(async () => {
      await catalog.close();
    });

    const createUser = (userKey: string, gamertag: string, revision = 1): TrackedUser => ({
      userKey,
      gamertag,
      revision,
    });
    const commit = async (change: Partial<PlayerCommit>) => {
      const { revision } = await catalog.boards.changeLog();
      return { expectedRevision: revision, revision: revision + 1, put: [], erased: [], facts: [], ...change };
    };
    const learn = async (...users: TrackedUser[]) => {
      expect(await catalog.players.commitUsers(await commit({ put: users }))).toBe(true);
    };

    it('returns empty results before the first commit', async () => {
      expect(await catalog.players.users(['a'])).toEqual(new Map());
      expect(await catalog.players.gamertags(['a'])).toEqual(new Map());
      expect(await catalog.players.users([])).toEqual(new Map());
      expect(await catalog.players.erasedUsers(['a'])).toEqual(new Set());
      expect(await catalog.players.erasedUsers([])).toEqual(new Set());
      expect(await catalog.players.gamertags([])).toEqual(new Map());
    });

    it('reads back users exactly as committed, by user key and by player key', async () => {
      const users = [
        createUser('__proto__', 'Émber Fox'),
        createUser('$where', 'NUL \0 🏁', 7),
        createUser('nobody', ''),
      ];
      await learn(...users);
      expect(await catalog.players.users(['nobody', '__proto__', 'x', '$where'])).toEqual(
        new Map(users.map((one) => [one.userKey, one])),
      );
      expect(await catalog.players.gamertags(['émber fox', 'nul \0 🏁', '', 'x'])).toEqual(
        new Map([
          ['émber fox', 'Émber Fox'],
          ['nul \0 🏁', 'NUL \0 🏁'],
        ]),
      );
    });

    it('returns the latest gamertag of a user, and one user of several with the same gamertag', async () => {
      await learn(createUser('b', 'Fox'), createUser('a', 'FOX'));
      expect(await catalog.players.gamertags(['fox'])).toEqual(new Map([['fox', 'FOX']]));
      await learn(createUser('a', 'Wolf', 2));
      expect(await catalog.players.gamertags(['fox', 'wolf'])).toEqual(
        new Map([
          ['fox', 'Fox'],
          ['wolf', 'Wolf'],
        ]),
      );
    });

    it('removes erased users, remembers their erasure, and adds facts to the outbox', async () => {
      await learn(createUser('a', 'Fox'));
      expect(await catalog.players.commitUsers(await commit({ erased: ['a', 'x'], facts: [fact('1')] }))).toBe(true);
      expect(await catalog.players.users(['a'])).toEqual(new Map());
      expect(await catalog.players.gamertags(['fox'])).toEqual(new Map());
      expect(await catalog.players.erasedUsers(['a', 'b', 'x', '__proto__'])).toEqual(new Set(['a', 'x']));
      expect(await catalog.players.commitUsers(await commit({ erased: ['a'] }))).toBe(true);
      expect((await catalog.outbox.pending(9)).map(({ id }) => id)).toEqual(['1']);
    });

    it('forgets the erasure of users who are allowed again', async () => {
      await catalog.players.commitUsers(await commit({ erased: ['a', 'b'] }));
      expect(await catalog.players.commitUsers(await commit({ allowed: ['a', 'nobody'] }))).toBe(true);
      expect(await catalog.players.erasedUsers(['a', 'b'])).toEqual(new Set(['b']));
    });

    it('rejects a commit of users after one of boards, and vice versa', async () => {
      const stale = await commit({ put: [createUser('a', 'Fox')], facts: [fact('1')] });
      await put(catalog.boards, { entries: times(['Fox', 1000]) });
      expect(await catalog.players.commitUsers(stale)).toBe(false);
      expect(await catalog.players.users(['a'])).toEqual(new Map());
      expect(await catalog.outbox.backlog()).toBe(0);

      const boards = await nextCommit(catalog.boards, {});
      const { lastId, lastChangedAt } = await catalog.boards.changeLog();
      await learn(createUser('a', 'Fox'));
      expect(await catalog.boards.commit(boards)).toBe(false);
      expect(await catalog.boards.changeLog()).toMatchObject({ lastId, lastChangedAt });
    });

    it('rolls back a commit that fails', async () => {
      const failing = await commit({ put: [createUser('a', 'Fox')], facts: [unserializableFact] });
      await expect(catalog.players.commitUsers(failing)).rejects.toThrow();
      expect(await catalog.players.users(['a'])).toEqual(new Map());
    });
  });
}
