import type { UserDatabase } from '../src/user-database.ts';
import type { ProfileStore } from '../src/profiles/profile-store.ts';
import type { ProfileRecord } from '../src/users/user-record.ts';
import { fact, factIds, HOSTILE, newUserOf, profile, put, userWithUnlocks, user } from './stored-records.ts';

/** Contract of every {@link ProfileStore}. `open` returns an empty store each time. */
export function describeProfileStore(adapter: string, open: () => Promise<UserDatabase>): void {
  describe(`profile store in ${adapter}`, () => {
    let database: UserDatabase;
    let profiles: ProfileStore;
    beforeEach(async () => {
      database = await open();
      ({ profiles } = database);
    });
    afterEach(async () => {
      await database.close();
    });

    const write = (record: ProfileRecord, ...facts: string[]) =>
      profiles.writeProfile({ profile: record, facts: facts.map(fact) });

    it('is empty at first', async () => {
      expect(await profiles.readProfile('a')).toBeUndefined();
      expect(await profiles.readUser('a')).toBeUndefined();
      expect(await profiles.findDiscordUser('1')).toBeUndefined();
    });

    it('returns a profile exactly as written, with the version incremented', async () => {
      await put(database, { users: HOSTILE.map((key) => user(key)) });
      for (const [index, text] of HOSTILE.entries()) {
        const written = profile(text, {
          avatarUrl: text,
          avatarHue: 359,
          discordId: String(index),
          discordVerified: true,
          linkedGamertag: text,
          bio: text,
          socialLinks: [
            { platform: text, url: text, label: null },
            { platform: '$set', url: 'https://b.example/', label: text },
          ],
          syncAvatarFromDiscord: true,
        });
        expect(await write(written)).toBe('written');
        expect(await profiles.readProfile(text)).toEqual({ ...written, version: 1 });
        expect(await profiles.readUser(text)).toEqual({ user: user(text), profile: { ...written, version: 1 } });
      }
      const empty = profile('__proto__', { version: 1 });
      expect(await write(empty)).toBe('written');
      expect(await profiles.readProfile('__proto__')).toEqual({ ...empty, version: 2 });
    });

    it('returns a user without a profile when none was written', async () => {
      await put(database, { users: [user('a')] });
      expect(await profiles.readUser('a')).toEqual({ user: user('a'), profile: undefined });
      expect(await profiles.readProfile('a')).toBeUndefined();
    });

    it('rejects a write with another version and changes nothing', async () => {
      await put(database, { users: [user('a')] });
      await write(profile('a', { bio: 'first' }), 'first');
      expect(await write(profile('a', { bio: 'second', discordId: '1' }), 'second')).toBe('stale');
      expect(await write(profile('a', { version: 2, bio: 'early' }), 'early')).toBe('stale');
      expect(await profiles.readProfile('a')).toEqual(profile('a', { version: 1, bio: 'first' }));
      expect(await profiles.findDiscordUser('1')).toBeUndefined();
      expect(await factIds(database)).toEqual(['first']);
    });

    it('accepts exactly one of several concurrent writes of one version', async () => {
      await put(database, { users: [user('a')] });
      const bios = ['1', '2', '3', '4'];
      const results = await Promise.all(bios.map((bio) => write(profile('a', { bio, discordId: bio }), bio)));
      expect(results.toSorted()).toEqual(['stale', 'stale', 'stale', 'written']);
      const winner = bios[results.indexOf('written')] ?? '';
      expect(await profiles.readProfile('a')).toEqual(profile('a', { version: 1, bio: winner, discordId: winner }));
      expect(await Promise.all(bios.map((bio) => profiles.findDiscordUser(bio)))).toEqual(
        bios.map((bio) => (bio === winner ? 'a' : undefined)),
      );
      expect(await factIds(database)).toEqual([winner]);
    });

    it('assigns a Discord ID to one user at a time', async () => {
      await put(database, { users: [user('a'), user('b')] });
      expect(await write(profile('a', { discordId: '1' }))).toBe('written');
      expect(await profiles.findDiscordUser('1')).toBe('a');
      expect(await write(profile('b', { discordId: '1', bio: 'mine' }), 'taken')).toBe('discord-taken');
      expect([await profiles.readProfile('b'), await factIds(database)]).toEqual([undefined, []]);

      expect(await write(profile('a', { version: 1, discordId: '1', bio: 'kept' }))).toBe('written');
      expect(await write(profile('a', { version: 2, discordId: '2' }))).toBe('written');
      expect(await profiles.findDiscordUser('1')).toBeUndefined();
      expect(await write(profile('b', { discordId: '1' }))).toBe('written');
      expect(await write(profile('b', { version: 1 }))).toBe('written');
      expect(await profiles.findDiscordUser('1')).toBeUndefined();
      expect(await profiles.findDiscordUser('2')).toBe('a');
    });

    it('assigns a Discord ID to one of several concurrent writes', async () => {
      const keys = ['a', 'b', 'c', 'd'];
      await put(database, { users: keys.map((key) => user(key)) });
      const results = await Promise.all(keys.map((key) => write(profile(key, { discordId: '1' }), key)));
      expect(results.toSorted()).toEqual(['discord-taken', 'discord-taken', 'discord-taken', 'written']);
      expect(await profiles.findDiscordUser('1')).toBe(keys[results.indexOf('written')]);
    });

    it('creates an unknown user with the profile and makes commits on the earlier revision stale', async () => {
      const revision = await database.users.revision();
      const newUser = newUserOf('a', { presence: undefined, gamertag: '', titles: [] });
      const written = profile('a', { bio: 'new here' });
      expect(await profiles.writeProfile({ profile: written, newUser, facts: [fact('new')] })).toBe('written');
      expect(await profiles.readUser('a')).toEqual({ user: newUser.user, profile: { ...written, version: 1 } });
      expect(await database.users.commit({ expectedRevision: revision, revision: 99, users: [user('a')] })).toBe(false);
      expect(await database.users.revision()).toBe(revision + 1);
      expect(await factIds(database)).toEqual(['new']);
    });

    it('keeps the existing user when a write would create the same user', async () => {
      await put(database, { users: [userWithUnlocks('a', [1, 2])] });
      const newUser = newUserOf('a', { presence: undefined, gamertag: '', titles: [] });
      expect(await profiles.writeProfile({ profile: profile('a'), newUser, facts: [] })).toBe('written');
      expect(await profiles.readUser('a')).toMatchObject({
        user: userWithUnlocks('a', [1, 2]),
        profile: { version: 1 },
      });
      expect(await database.users.revision()).toBe(1);
    });

    it('creates a user once when several writes are concurrent', async () => {
      const writes = [1, 2, 3].map((n) =>
        profiles.writeProfile({
          profile: profile('a', { bio: `${n}` }),
          newUser: newUserOf('a'),
          facts: [fact(`${n}`)],
        }),
      );
      expect((await Promise.all(writes)).toSorted()).toEqual(['stale', 'stale', 'written']);
      expect([await database.users.revision(), (await factIds(database)).length]).toEqual([1, 1]);
    });

    it('does not create an erased user and stores nothing of the write', async () => {
      const newUser = newUserOf('a');
      await database.erasures.eraseUser({ userKey: 'a', playerKey: undefined, hashes: [newUser.hash], facts: [] });
      const written = profile('a', { discordId: '1' });
      expect(await profiles.writeProfile({ profile: written, newUser, facts: [fact('new')] })).toBe('erased');
      expect([await profiles.readUser('a'), await profiles.findDiscordUser('1')]).toEqual([undefined, undefined]);
      expect(await factIds(database)).toEqual([]);
    });

    it('raises the revision to at least that of the published new user', async () => {
      for (const [key, revision, later] of [
        ['a', 1_800_000_000_000, 1_800_000_000_000],
        ['b', 5, 1_800_000_000_001],
      ] as const) {
        const newUser = { ...newUserOf(key), revision };
        expect(await profiles.writeProfile({ profile: profile(key), newUser, facts: [] })).toBe('written');
        expect(await database.users.revision()).toBe(later);
      }
    });

    it('rejects a profile write for a user who does not exist', async () => {
      expect(await write(profile('a', { discordId: '1' }), 'nobody')).toBe('stale');
      expect(await profiles.readProfile('a')).toBeUndefined();
      expect([await profiles.findDiscordUser('1'), await factIds(database)]).toEqual([undefined, []]);
    });

    it('keeps the profile when its user record changes', async () => {
      await put(database, { users: [user('a')] });
      await write(profile('a', { bio: 'kept', discordId: '1' }));
      await put(database, { users: [user('a', { username: 'A', ratingsGiven: 2 })] });
      await put(database, { users: [user('a', { username: 'A', ratingsGiven: 3 })] });
      expect(await profiles.readUser('a')).toEqual({
        user: user('a', { username: 'A', ratingsGiven: 3 }),
        profile: profile('a', { version: 1, bio: 'kept', discordId: '1' }),
      });
      expect(await database.users.users(['a'])).toEqual(
        new Map([['a', user('a', { username: 'A', ratingsGiven: 3 })]]),
      );
    });
  });
}
