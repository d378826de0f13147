import { definition, definitionsOf } from './achievement-builders.ts';
import { DAY, hashOfTests, look, NOON, openPeople, sighting, SLOT } from './observed-people.ts';

const ended = (...matches: readonly (readonly [host: string, endedAt: number])[]) => ({
  at: NOON - 1,
  matches: matches.map(([host, endedAt]) => ({ host, endedAt })),
});
const hosts = definitionsOf([
  definition(1, { rule: { kind: 'sessions-hosted', count: 1 } }),
  definition(2, { rule: { kind: 'sessions-hosted', count: 3 } }),
]);

describe('sessions hosted', () => {
  it('are counted once by host and slot, whatever is told twice', async () => {
    const { people, store } = openPeople();
    const told = [ended(['Ember Fox', NOON], ['ember fox ', NOON], ['Marlow', NOON]), ended(['Ember Fox', DAY - SLOT])];
    expect(await people.endMatches(told, false)).toMatchObject({ changed: 2 });
    const revision = await store.users.revision();
    expect(await people.endMatches(told, false)).toMatchObject({ changed: 0 });
    expect(await people.endMatches([ended(['Ember Fox', NOON]), ended(['Ember Fox', NOON])], false)).toMatchObject({
      changed: 0,
    });
    expect(await store.users.revision()).toBe(revision);
    const players = await store.users.players(['ember fox', 'marlow']);
    expect([...players.values()].map(({ key, hosted }) => [key, hosted]).sort()).toEqual([
      ['ember fox', 2],
      ['marlow', 1],
    ]);
  });

  it('unlock achievements for whoever the feed gives the gamertag to, at the time of the message', async () => {
    const { people, unlocks } = openPeople(hosts);
    const twin = sighting({ username: 'Twin', gamertag: 'EMBER FOX' });
    await people.observePlayers([look(sighting(), twin, sighting({ username: 'Ember Fox', gamertag: '' }))], false);
    await people.endMatches([ended(['Ember Fox', NOON], ['Ember Fox', NOON - SLOT])], false);
    await people.endMatches([ended(['Ember Fox', NOON - 2 * SLOT], ['', NOON])], false);
    expect(await unlocks()).toMatchObject([
      { achievementId: 1, unlockedAt: NOON - 1 },
      { achievementId: 2, unlockedAt: NOON - 1 },
    ]);
    expect(await unlocks('twin')).toHaveLength(2);
    expect(await unlocks('ember fox')).toEqual([]);
  });

  it('from before somebody was known, or had that gamertag, count from then on', async () => {
    const { people, unlocks } = openPeople(hosts);
    await people.endMatches([ended(['Ember Fox', NOON], ['Other', NOON], ['Other', NOON - SLOT])], false);
    await people.endMatches([ended(['Other', NOON - 2 * SLOT])], false);
    await people.observePlayers([look(sighting())], false);
    expect(await unlocks()).toMatchObject([{ achievementId: 1, unlockedAt: NOON }]);
    await people.observePlayers([look(sighting({ gamertag: 'other', lastSeenAt: NOON + 1 }))], false);
    expect(await unlocks()).toMatchObject([{ achievementId: 1 }, { achievementId: 2 }]);
  });

  it('older than 30 days or in the future are refused', async () => {
    const { people } = openPeople();
    const told = ended(
      ['A', NOON - 30 * 86_400],
      ['A', NOON - 30 * 86_400 - SLOT],
      ['A', NOON + 2 * SLOT],
      ['B', NOON],
    );
    expect(await people.endMatches([told], false)).toMatchObject({ changed: 2, refused: 2 });
  });

  it('of names that are no gamertag, or of forgotten ones, are nobody’s', async () => {
    const { people, store } = openPeople();
    const hashes = [hashOfTests.gamertag('ember fox')];
    await store.profiles.forget({ userKey: 'emberfox', playerKey: 'ember fox', hashes, facts: [] });
    const told = ended(['', NOON], [' ', NOON], ['x'.repeat(65), NOON], ['Ember Fox', NOON]);
    expect(await people.endMatches([told], false)).toMatchObject({ changed: 0 });
    expect(await people.endMatches([told, ended(['__proto__', NOON])], false)).toMatchObject({ changed: 1 });
    expect((await store.users.players(['__proto__', 'ember fox'])).size).toBe(1);
  });
});
