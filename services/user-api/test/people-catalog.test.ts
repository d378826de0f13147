import { achievementUnlocked, playtimeCredited, USERS_PER_FACT, userStored } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { PeopleCatalog } from '../src/domain/people-catalog.ts';
import type { PeopleStore } from '../src/domain/people-store.ts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { hashOfTests, look, NOON, openPeople, past, peopleOver, sighting, SLOT, spans } from './observed-people.ts';
import { messages, PEOPLE, stateOf, unlockedBy, type Delivery } from './people-histories.ts';

const lastingRules = definitionsOf([
  definition(1, { rule: { kind: 'play-minutes', minutes: 60 } }),
  definition(2, { rule: { kind: 'play-minutes', minutes: 300 }, points: 25 }),
  definition(3, { rule: { kind: 'leaderboard-rank', rank: 1 } }),
  definition(4, { rule: { kind: 'ratings-given', count: 3 } }),
  definition(5, { rule: { kind: 'sessions-hosted', count: 2 } }),
]);
const rules = definitionsOf([
  ...lastingRules.all,
  definition(6, { rule: { kind: 'titles-played', count: 2 } }),
  definition(7, { rule: { kind: 'leaderboards-on', count: 2 } }),
  definition(8, { rule: { kind: 'play-minutes-in-title', titleId: '4d530065', minutes: 30 } }),
]);
const everyone = look(...PEOPLE.map((name) => sighting({ username: name, gamertag: name, lastSeenAt: NOON - 9000 })));

describe('people', () => {
  it('are the same whatever the order of what is told of them, and however often', async () => {
    const histories = messages({ gamertags: 'moving' }).chain((told) =>
      fc.record({
        told: fc.constant(told),
        delivered: fc.shuffledSubarray([...told, ...told, ...told], { minLength: told.length * 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(histories, async ({ told, delivered }) => {
        const [once, often] = [openPeople(rules), openPeople(rules)];
        for (const deliver of told) await deliver(once.people);
        for (const deliver of delivered) await deliver(often.people);
        expect(await stateOf(often.store)).toEqual(await stateOf(once.store));
      }),
      { numRuns: 60 },
    );
  });

  it('have the same achievements, where those ask for what is never taken away', async () => {
    const histories = messages({ gamertags: 'fixed' }).chain((told) =>
      fc.tuple(fc.constant(told), fc.shuffledSubarray(told, { minLength: told.length })),
    );
    await fc.assert(
      fc.asyncProperty(histories, async ([told, delivered]) => {
        const [one, other] = [openPeople(lastingRules), openPeople(lastingRules)];
        for (const { people } of [one, other]) await people.observePlayers([everyone], false);
        for (const deliver of told) await deliver(one.people);
        for (const deliver of delivered) await deliver(other.people);
        expect(await unlockedBy(other.store)).toEqual(await unlockedBy(one.store));
      }),
      { numRuns: 60 },
    );
  });

  it('are not written, nor told of, when all comes again', async () => {
    await fc.assert(
      fc.asyncProperty(messages({ gamertags: 'fixed' }), async (told) => {
        const { store, people } = openPeople(rules);
        await people.observePlayers([everyone], false);
        await expectNothingTwice(store, people, told);
      }),
      { numRuns: 60 },
    );
  });

  it('are not written again, where no ranks come from before they had their gamertag', async () => {
    const withoutRanks = rules.all.filter(({ rule }) => rule.kind !== 'leaderboard-rank');
    await fc.assert(
      fc.asyncProperty(messages({ gamertags: 'moving' }), async (told) => {
        const { store, people } = openPeople(definitionsOf(withoutRanks));
        await expectNothingTwice(store, people, told);
      }),
      { numRuns: 60 },
    );
  });

  it('are the same when several replicas take messages in at once', async () => {
    await fc.assert(
      fc.asyncProperty(messages({ gamertags: 'moving' }), async (told) => {
        const [one, many] = [openPeople(rules), openPeople(rules)];
        const other = peopleOver(many.store.users, rules);
        for (const deliver of told) await deliver(one.people);
        await Promise.all(told.map((deliver, index) => deliver(index % 2 === 0 ? many.people : other)));
        expect(await stateOf(many.store)).toEqual(await stateOf(one.store));
      }),
      { numRuns: 40 },
    );
  });

  it('of one commit are told of together, so many a fact', async () => {
    const { people, store, told } = openPeople(
      definitionsOf([definition(1, { rule: { kind: 'titles-played', count: 1 } })]),
    );
    const count = USERS_PER_FACT + 1;
    const crowd = Array.from({ length: count }, (_, index) =>
      sighting({ username: `User ${index}`, gamertag: `G${index}` }),
    );
    expect(await people.observePlayers([look(...crowd)], true)).toEqual({
      changed: count,
      slots: count,
      unlocks: count,
      refused: 0,
    });
    expect(await store.users.revision()).toBe(NOON * 1000);
    expect(
      (await store.outbox.pending(10)).map(({ id, past: isPast, occurredAt }) => [id, isPast, occurredAt]),
    ).toEqual(
      [userStored, playtimeCredited, achievementUnlocked].flatMap(({ key }) =>
        [1, 2].map((part) => [`${key}:simulated:${NOON * 1000}:${part}`, true, NOON]),
      ),
    );
    const users = (await told(userStored.key)) as { users: unknown[] }[];
    expect(users.map((fact) => fact.users.length)).toEqual([USERS_PER_FACT, 1]);
    for (const type of [userStored, playtimeCredited, achievementUnlocked]) {
      for (const data of await told(type.key)) expect(type.data.safeParse(data).success).toBe(true);
    }
  });

  it('who were forgotten are not made anew, and others of the message are', async () => {
    const { people, store, user } = openPeople();
    await people.observePlayers([look(sighting())], false);
    const hashes = [hashOfTests.user('emberfox'), hashOfTests.gamertag('ember fox')];
    await store.profiles.forget({ userKey: 'emberfox', playerKey: 'ember fox', hashes, facts: [] });
    const wren = sighting({ username: 'Wren', gamertag: 'Wren' });
    expect(await people.observePlayers([look(sighting({ username: 'EMBERFOX' }), wren)], false)).toMatchObject({
      slots: 1,
    });
    expect(await people.observePlay([past(spans({ from: NOON }))], true)).toMatchObject({ changed: 0 });
    expect(await user()).toBeUndefined();
    expect(await user('wren')).toBeDefined();
  });

  it('who are forgotten while a message is worked out stay forgotten', async () => {
    const { people, store, user } = openPeople();
    await people.observePlayers([look(sighting())], false);
    const forget = async () => {
      const hashes = [hashOfTests.user('emberfox')];
      await store.profiles.forget({ userKey: 'emberfox', playerKey: 'ember fox', hashes, facts: [] });
    };
    const raced = peopleOver(
      {
        ...store.users,
        commit: async (commit) => {
          await forget();
          return store.users.commit(commit);
        },
      },
      definitionsOf([]),
    );
    const later = sighting({ lastSeenAt: NOON + SLOT });
    expect(await raced.observePlayers([look(later)], false)).toMatchObject({ changed: 0 });
    expect(await user()).toBeUndefined();
  });

  it('are not changed for ever while others are always faster', async () => {
    const { store } = openPeople();
    const never = peopleOver({ ...store.users, commit: async () => false }, definitionsOf([]));
    await expect(never.observePlayers([look(sighting())], false)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are told of nothing that is later than now', async () => {
    const rule = { kind: 'ratings-given', count: 1 } as const;
    const { people, store, unlocks } = openPeople(definitionsOf([definition(1, { rule })]));
    const raters = [{ username: 'EmberFox', ratingsGiven: 1 }];
    await people.rated([{ at: NOON + 900_000, raters }], false);
    expect(await unlocks()).toMatchObject([{ unlockedAt: NOON }]);
    expect((await store.outbox.pending(9)).map(({ occurredAt }) => occurredAt)).toEqual([NOON, NOON]);
  });
});

async function expectNothingTwice(
  { users, outbox }: PeopleStore,
  people: PeopleCatalog,
  told: Delivery[],
): Promise<void> {
  for (const deliver of told) await deliver(people);
  const [revision, facts] = [await users.revision(), await outbox.backlog()];
  for (const deliver of told.toReversed()) await deliver(people);
  expect(await users.revision()).toBe(revision);
  expect(await outbox.backlog()).toBe(facts);
}
