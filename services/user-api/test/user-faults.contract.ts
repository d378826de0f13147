import type { UserDatabase } from '../src/user-database.ts';
import {
  bits,
  DAY,
  definition,
  fact,
  newUserOf,
  playDay,
  player,
  profile,
  put,
  SLOT,
  unlock,
  userWithUnlocks,
  user,
} from './stored-records.ts';

/** Opens a user database and makes its statements fail. */
export interface FaultInjection {
  /** Opens an empty store. */
  readonly open: () => Promise<UserDatabase>;
  /** Opens the same one again. */
  readonly reopen: () => Promise<UserDatabase>;
  /** Makes statements fail after the given number, until the returned function is called. */
  readonly failAfter: (statements: number) => () => void;
}

/** Contract of every user database: a write that fails at any statement changes nothing. */
export function describeUserFaults(adapter: string, cuttable: FaultInjection): void {
  describe(`write to ${adapter} that fails at any statement`, () => {
    it('rolls back a commit', async () => {
      await expectAtomic(cuttable, async ({ users }) =>
        users.commit({
          expectedRevision: await users.revision(),
          revision: 9,
          users: [
            userWithUnlocks('a', [1, 2, 3], { username: 'A', gamertag: 'other' }),
            userWithUnlocks('b', [1]),
            user('new'),
          ],
          playDays: [playDay('a', [7], 't'), playDay('new', [1])],
          players: [player('a tag', ['t:1', 't:2'])],
          hostDays: [{ playerKey: 'a tag', day: DAY, slots: bits([9]) }],
          unlocks: [unlock('a', 3, SLOT + 300), unlock('b', 1, SLOT + 300)],
          movedUnlocks: [unlock('a', 1, SLOT - 300)],
          definitions: [definition(1, { name: 'changed' }), definition(3)],
          evaluation: { digest: 'd', after: 'a', done: false },
          facts: [fact('1'), fact('2')],
        }),
      );
    });

    it('rolls back a profile write', async () => {
      await expectAtomic(cuttable, async ({ profiles }) => {
        const next = profile('a', { version: 1, bio: 'new', discordId: '2' });
        return (await profiles.writeProfile({ profile: next, facts: [fact('1')] })) === 'written';
      });
    });

    it('rolls back a profile write that creates the user', async () => {
      await expectAtomic(cuttable, async ({ profiles }) => {
        const write = { profile: profile('new', { discordId: '2' }), newUser: newUserOf('new'), facts: [fact('1')] };
        return (await profiles.writeProfile(write)) === 'written';
      });
    });

    it('rolls back the erasure of a user', async () => {
      await expectAtomic(cuttable, async ({ erasures }) => {
        await erasures.eraseUser({ userKey: 'a', playerKey: 'a tag', hashes: ['h1', 'h2'], facts: [fact('1')] });
        return true;
      });
    });
  });
}

/** Makes the write fail at each of its statements in turn, each time on the same data. */
async function expectAtomic(
  { open, reopen, failAfter }: FaultInjection,
  write: (database: UserDatabase) => Promise<boolean>,
): Promise<void> {
  const database = await open();
  await fillStore(database);
  const earlier = await readAll(database);
  let steps = 0;
  for (let done = false; !done; steps += 1) {
    const heal = failAfter(steps);
    done = await write(database).catch(() => false);
    heal();
    const restarted = await reopen();
    const later = await readAll(restarted);
    await restarted.close();
    if (done) expect(later).not.toEqual(earlier);
    else expect(later).toEqual(earlier);
    expect(steps).toBeLessThan(100);
  }
  expect(steps).toBeGreaterThan(3);
  await database.close();
}

/** Stores two users: a has all data, b only a name. */
async function fillStore(database: UserDatabase): Promise<void> {
  await put(database, {
    users: [userWithUnlocks('a', [1, 2]), user('b')],
    playDays: [playDay('a', [1])],
    players: [player('a tag', ['t:1'])],
    hostDays: [{ playerKey: 'a tag', day: DAY, slots: bits([1]) }],
    unlocks: [unlock('a', 1), unlock('a', 2)],
    definitions: [definition(1), definition(2)],
  });
  await database.profiles.writeProfile({ profile: profile('a', { bio: 'old', discordId: '1' }), facts: [] });
}

async function readAll({ users, profiles, outbox }: UserDatabase) {
  const keys = ['a', 'b', 'new'];
  return {
    revision: await users.revision(),
    everyone: await users.usersAfter(undefined, 100),
    byGamertag: await users.usersByGamertag(['a tag', 'other', 'new tag']),
    players: await users.players(['a tag']),
    playDays: await users.playDays(keys.map((key) => ({ key, day: DAY }))),
    hostDays: await users.hostDays([{ key: 'a tag', day: DAY }]),
    erased: await users.findErased(['h1', 'h2']),
    evaluation: await users.evaluation(),
    definitions: await users.definitions(),
    unlocks: await users.recentUnlocks(100),
    counts: await users.unlockCounts(),
    board: await users.leaderboard(0, 100),
    profiles: await Promise.all(keys.map((key) => profiles.readProfile(key))),
    owners: await Promise.all(['1', '2'].map((number) => profiles.findDiscordUser(number))),
    facts: await outbox.pending(100),
  };
}
