import { achievementUnlocked, playtimeCredited, USERS_PER_FACT, userStored } from '@lobbystats/contracts';
import fc from 'fast-check';
import type { UserCatalog } from '../src/observations/user-catalog.ts';
import type { UserDatabase } from '../src/user-database.ts';
import { definition, definitionsOf } from './achievement-builders.ts';
import {
  testNameHash,
  poll,
  NOON,
  openUsers,
  playMessage,
  createCatalog,
  sighting,
  SLOT,
  spans,
} from './observed-users.ts';
import { messageHistories, USERNAMES, readState, type MessageDelivery } from './message-histories.ts';

const rules = definitionsOf([
  definition(1, { rule: { kind: 'play-minutes', minutes: 60 } }),
  definition(2, { rule: { kind: 'play-minutes', minutes: 300 }, points: 25 }),
  definition(3, { rule: { kind: 'leaderboard-rank', rank: 1 } }),
  definition(4, { rule: { kind: 'ratings-given', count: 3 } }),
  definition(5, { rule: { kind: 'sessions-hosted', count: 2 } }),
  definition(6, { rule: { kind: 'titles-played', count: 2 } }),
  definition(7, { rule: { kind: 'leaderboards-on', count: 2 } }),
  definition(8, { rule: { kind: 'play-minutes-in-title', titleId: '4d530065', minutes: 30 } }),
]);
const everyone = poll(
  ...USERNAMES.map((name) => sighting({ username: name, gamertag: name, lastSeenAt: NOON - 9000 })),
);

describe('user catalog', () => {
  it('reaches the same state for any order and repetition of messages', async () => {
    const histories = messageHistories({ gamertags: 'moving' }).chain((messages) =>
      fc.record({
        told: fc.constant(messages),
        delivered: fc.shuffledSubarray([...messages, ...messages, ...messages], { minLength: messages.length * 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(histories, async ({ told: messages, delivered }) => {
        const [once, often] = [openUsers(rules), openUsers(rules)];
        for (const deliver of messages) await deliver(once.catalog);
        for (const deliver of delivered) await deliver(often.catalog);
        expect(await readState(often.store)).toEqual(await readState(once.store));
      }),
      { numRuns: 60 },
    );
  });

  it('writes and publishes nothing when all messages are redelivered', async () => {
    await fc.assert(
      fc.asyncProperty(messageHistories({ gamertags: 'fixed' }), async (messages) => {
        const { store, catalog } = openUsers(rules);
        await catalog.applyPresence([everyone], false);
        await expectNoChangeOnRedelivery(store, catalog, messages);
      }),
      { numRuns: 60 },
    );
  });

  it('writes nothing on redelivery when gamertags change and no rule depends on ranks', async () => {
    const withoutRanks = rules.all.filter(({ rule }) => rule.kind !== 'leaderboard-rank');
    await fc.assert(
      fc.asyncProperty(messageHistories({ gamertags: 'moving' }), async (messages) => {
        const { store, catalog } = openUsers(definitionsOf(withoutRanks));
        await expectNoChangeOnRedelivery(store, catalog, messages);
      }),
      { numRuns: 60 },
    );
  });

  it('reaches the same state when several replicas apply messages concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(messageHistories({ gamertags: 'moving' }), async (messages) => {
        const [one, many] = [openUsers(rules), openUsers(rules)];
        const other = createCatalog(many.store.users, rules);
        for (const deliver of messages) await deliver(one.catalog);
        await Promise.all(messages.map((deliver, index) => deliver(index % 2 === 0 ? many.catalog : other)));
        expect(await readState(many.store)).toEqual(await readState(one.store));
      }),
      { numRuns: 40 },
    );
  });

  it('publishes the users of one commit in facts of limited size', async () => {
    const { catalog, store, pendingFacts } = openUsers(
      definitionsOf([definition(1, { rule: { kind: 'titles-played', count: 1 } })]),
    );
    const count = USERS_PER_FACT + 1;
    const sightings = Array.from({ length: count }, (_, index) =>
      sighting({ username: `User ${index}`, gamertag: `G${index}` }),
    );
    expect(await catalog.applyPresence([poll(...sightings)], true)).toEqual({
      changed: count,
      slots: count,
      unlocks: count,
      refused: 0,
      refusedUsers: 0,
    });
    expect(await store.users.revision()).toBe(NOON * 1000);
    expect(
      (await store.outbox.pending(10)).map(({ id, past: isPast, occurredAt }) => [id, isPast, occurredAt]),
    ).toEqual(
      [userStored, playtimeCredited, achievementUnlocked].flatMap(({ key }) =>
        [1, 2].map((part) => [`${key}:simulated:${NOON * 1000}:${part}`, true, NOON]),
      ),
    );
    const users = (await pendingFacts(userStored.key)) as { users: unknown[] }[];
    expect(users.map((fact) => fact.users.length)).toEqual([USERS_PER_FACT, 1]);
    for (const type of [userStored, playtimeCredited, achievementUnlocked]) {
      for (const data of await pendingFacts(type.key)) expect(type.data.safeParse(data).success).toBe(true);
    }
  });

  it('ignores erased users and applies the other users of the message', async () => {
    const { catalog, store, user } = openUsers();
    await catalog.applyPresence([poll(sighting())], false);
    const hashes = [testNameHash.user('emberfox'), testNameHash.gamertag('ember fox')];
    await store.erasures.eraseUser({ userKey: 'emberfox', playerKey: 'ember fox', hashes, facts: [] });
    const wren = sighting({ username: 'Wren', gamertag: 'Wren' });
    expect(await catalog.applyPresence([poll(sighting({ username: 'EMBERFOX' }), wren)], false)).toMatchObject({
      slots: 1,
    });
    expect(await catalog.applyPlayTime([playMessage(spans({ from: NOON }))], true)).toMatchObject({ changed: 0 });
    expect(await user()).toBeUndefined();
    expect(await user('wren')).toBeDefined();
  });

  it('does not restore a user who is erased while a message is applied', async () => {
    const { catalog, store, user } = openUsers();
    await catalog.applyPresence([poll(sighting())], false);
    const forget = async () => {
      const hashes = [testNameHash.user('emberfox')];
      await store.erasures.eraseUser({ userKey: 'emberfox', playerKey: 'ember fox', hashes, facts: [] });
    };
    const raced = createCatalog(
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
    expect(await raced.applyPresence([poll(later)], false)).toMatchObject({ changed: 0 });
    expect(await user()).toBeUndefined();
  });

  it('rejects with unavailable after repeated revision conflicts', async () => {
    const { store } = openUsers();
    const never = createCatalog({ ...store.users, commit: async () => false }, definitionsOf([]));
    await expect(never.applyPresence([poll(sighting())], false)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('caps times ahead of the clock to the present', async () => {
    const rule = { kind: 'ratings-given', count: 1 } as const;
    const { catalog, store, unlocks } = openUsers(definitionsOf([definition(1, { rule })]));
    const raters = [{ username: 'EmberFox', ratingsGiven: 1 }];
    await catalog.applyRatings([{ at: NOON + 900_000, raters }], false);
    expect(await unlocks()).toMatchObject([{ unlockedAt: NOON }]);
    expect((await store.outbox.pending(9)).map(({ occurredAt }) => occurredAt)).toEqual([NOON, NOON]);
  });
});

async function expectNoChangeOnRedelivery(
  { users, outbox }: UserDatabase,
  catalog: UserCatalog,
  messages: MessageDelivery[],
): Promise<void> {
  for (const deliver of messages) await deliver(catalog);
  const [revision, facts] = [await users.revision(), await outbox.backlog()];
  for (const deliver of messages.toReversed()) await deliver(catalog);
  expect(await users.revision()).toBe(revision);
  expect(await outbox.backlog()).toBe(facts);
}
