import { definition, definitionsOf } from './achievement-builders.ts';
import { DAY, testNameHash, poll, NOON, openUsers, sighting, SLOT } from './observed-users.ts';

const ended = (...matches: readonly (readonly [host: string, endedAt: number])[]) => ({
  at: NOON - 1,
  matches: matches.map(([host, endedAt]) => ({ host, endedAt })),
});
const hosts = definitionsOf([
  definition(1, { rule: { kind: 'sessions-hosted', count: 1 } }),
  definition(2, { rule: { kind: 'sessions-hosted', count: 3 } }),
]);

describe('hosted sessions', () => {
  it('are counted once per host and slot when messages repeat', async () => {
    const { catalog, store } = openUsers();
    const messages = [
      ended(['Ember Fox', NOON], ['ember fox ', NOON], ['Marlow', NOON]),
      ended(['Ember Fox', DAY - SLOT]),
    ];
    expect(await catalog.applyMatches(messages, false)).toMatchObject({ changed: 2 });
    const revision = await store.users.revision();
    expect(await catalog.applyMatches(messages, false)).toMatchObject({ changed: 0 });
    expect(await catalog.applyMatches([ended(['Ember Fox', NOON]), ended(['Ember Fox', NOON])], false)).toMatchObject({
      changed: 0,
    });
    expect(await store.users.revision()).toBe(revision);
    const players = await store.users.players(['ember fox', 'marlow']);
    expect([...players.values()].map(({ key, hosted }) => [key, hosted]).sort()).toEqual([
      ['ember fox', 2],
      ['marlow', 1],
    ]);
  });

  it('unlock achievements for all users with the gamertag at the end of the session', async () => {
    const { catalog, unlocks } = openUsers(hosts);
    const twin = sighting({ username: 'Twin', gamertag: 'EMBER FOX' });
    await catalog.applyPresence([poll(sighting(), twin, sighting({ username: 'Ember Fox', gamertag: '' }))], false);
    await catalog.applyMatches([ended(['Ember Fox', NOON], ['Ember Fox', NOON - SLOT])], false);
    await catalog.applyMatches([ended(['Ember Fox', NOON - 2 * SLOT], ['', NOON])], false);
    expect(await unlocks()).toMatchObject([
      { achievementId: 2, unlockedAt: NOON },
      { achievementId: 1, unlockedAt: NOON - 2 * SLOT },
    ]);
    expect(await unlocks('twin')).toHaveLength(2);
    expect(await unlocks('ember fox')).toEqual([]);
  });

  it('count for a user who gets the gamertag later', async () => {
    const { catalog, unlocks } = openUsers(hosts);
    await catalog.applyMatches([ended(['Ember Fox', NOON], ['Other', NOON], ['Other', NOON - SLOT])], false);
    await catalog.applyMatches([ended(['Other', NOON - 2 * SLOT])], false);
    await catalog.applyPresence([poll(sighting())], false);
    expect(await unlocks()).toMatchObject([{ achievementId: 1, unlockedAt: NOON }]);
    await catalog.applyPresence([poll(sighting({ gamertag: 'other', lastSeenAt: NOON + 1 }))], false);
    expect(await unlocks()).toMatchObject([{ achievementId: 2 }, { achievementId: 1, unlockedAt: NOON - 2 * SLOT }]);
  });

  it('are refused when older than 30 days or in the future', async () => {
    const { catalog } = openUsers();
    const message = ended(
      ['A', NOON - 30 * 86_400],
      ['A', NOON - 30 * 86_400 - SLOT],
      ['A', NOON + 2 * SLOT],
      ['B', NOON],
    );
    expect(await catalog.applyMatches([message], false)).toMatchObject({ changed: 2, refused: 2 });
  });

  it('are ignored for invalid or erased gamertags', async () => {
    const { catalog, store } = openUsers();
    const hashes = [testNameHash.gamertag('ember fox')];
    await store.erasures.eraseUser({ userKey: 'emberfox', playerKey: 'ember fox', hashes, facts: [] });
    const message = ended(['', NOON], [' ', NOON], ['x'.repeat(65), NOON], ['Ember Fox', NOON]);
    expect(await catalog.applyMatches([message], false)).toMatchObject({ changed: 0 });
    expect(await catalog.applyMatches([message, ended(['__proto__', NOON])], false)).toMatchObject({ changed: 1 });
    expect((await store.users.players(['__proto__', 'ember fox'])).size).toBe(1);
  });
});
