import type { PeopleStore } from '../src/domain/people-store.ts';
import {
  bits,
  DAY,
  definition,
  fact,
  newcomer,
  playDay,
  player,
  profile,
  put,
  SLOT,
  unlock,
  unlocker,
  user,
} from './stored-records.ts';

/** A store of people whose commits can be cut off. */
export interface Cuttable {
  /** Gives an empty store. */
  readonly open: () => Promise<PeopleStore>;
  /** Opens the same one again. */
  readonly reopen: () => Promise<PeopleStore>;
  /** Makes the statement after so many fail, until the function that it gives is called. */
  readonly cutAfter: (statements: number) => () => void;
}

/** What every store of people promises of writes that are cut off at any step: nothing is changed. */
export function describeCutStore(adapter: string, cuttable: Cuttable): void {
  describe(`a write to ${adapter} that is cut off at any step`, () => {
    it('of a commit leaves everything as it was', async () => {
      await expectNothingByHalves(cuttable, async ({ users }) =>
        users.commit({
          expectedRevision: await users.revision(),
          revision: 9,
          users: [unlocker('a', [1, 2, 3], { username: 'A', gamertag: 'other' }), unlocker('b', [1]), user('new')],
          playDays: [playDay('a', [7], 't'), playDay('new', [1])],
          players: [player('a tag', ['t:1', 't:2'])],
          hostDays: [{ playerKey: 'a tag', day: DAY, slots: bits([9]) }],
          unlocks: [unlock('a', 3, SLOT + 300), unlock('b', 1, SLOT + 300)],
          definitions: [definition(1, { name: 'changed' }), definition(3)],
          evaluation: { digest: 'd', after: 'a', done: false },
          facts: [fact('1'), fact('2')],
        }),
      );
    });

    it('of a profile leaves everything as it was', async () => {
      await expectNothingByHalves(cuttable, async ({ profiles }) => {
        const next = profile('a', { version: 1, bio: 'new', discordId: '2' });
        return (await profiles.writeProfile({ profile: next, facts: [fact('1')] })) === 'written';
      });
    });

    it('of a profile and its person leaves everything as it was', async () => {
      await expectNothingByHalves(cuttable, async ({ profiles }) => {
        const write = { profile: profile('new', { discordId: '2' }), newUser: newcomer('new'), facts: [fact('1')] };
        return (await profiles.writeProfile(write)) === 'written';
      });
    });

    it('that forgets somebody leaves everything as it was', async () => {
      await expectNothingByHalves(cuttable, async ({ profiles }) => {
        await profiles.forget({ userKey: 'a', playerKey: 'a tag', hashes: ['h1', 'h2'], facts: [fact('1')] });
        return true;
      });
    });
  });
}

/** Makes the write fail at its first statement, at its second and so on, each time over the same people. */
async function expectNothingByHalves(
  { open, reopen, cutAfter }: Cuttable,
  write: (people: PeopleStore) => Promise<boolean>,
): Promise<void> {
  const people = await open();
  await fill(people);
  const earlier = await everythingIn(people);
  let steps = 0;
  for (let done = false; !done; steps += 1) {
    const heal = cutAfter(steps);
    done = await write(people).catch(() => false);
    heal();
    const restarted = await reopen();
    const later = await everythingIn(restarted);
    await restarted.close();
    if (done) expect(later).not.toEqual(earlier);
    else expect(later).toEqual(earlier);
    expect(steps).toBeLessThan(100);
  }
  expect(steps).toBeGreaterThan(3);
  await people.close();
}

/** Two people: a has everything, b only a name. */
async function fill(people: PeopleStore): Promise<void> {
  await put(people, {
    users: [unlocker('a', [1, 2]), user('b')],
    playDays: [playDay('a', [1])],
    players: [player('a tag', ['t:1'])],
    hostDays: [{ playerKey: 'a tag', day: DAY, slots: bits([1]) }],
    unlocks: [unlock('a', 1), unlock('a', 2)],
    definitions: [definition(1), definition(2)],
  });
  await people.profiles.writeProfile({ profile: profile('a', { bio: 'old', discordId: '1' }), facts: [] });
}

async function everythingIn({ users, profiles, outbox }: PeopleStore) {
  const keys = ['a', 'b', 'new'];
  return {
    revision: await users.revision(),
    everyone: await users.usersAfter(undefined, 100),
    byGamertag: await users.usersByGamertag(['a tag', 'other', 'new tag']),
    players: await users.players(['a tag']),
    playDays: await users.playDays(keys.map((key) => ({ key, day: DAY }))),
    hostDays: await users.hostDays([{ key: 'a tag', day: DAY }]),
    forgotten: await users.forgotten(['h1', 'h2']),
    evaluation: await users.evaluation(),
    definitions: await users.definitions(),
    unlocks: await users.recentUnlocks(100),
    counts: await users.unlockCounts(),
    board: await users.leaderboard(0, 100),
    profiles: await Promise.all(keys.map((key) => profiles.readProfile(key))),
    owners: await Promise.all(['1', '2'].map((number) => profiles.ownerOfDiscord(number))),
    facts: await outbox.pending(100),
  };
}
