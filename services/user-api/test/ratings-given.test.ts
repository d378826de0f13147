import { userStored } from '@lobbystats/contracts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { hashOfTests, look, NOON, openPeople, sighting } from './observed-people.ts';

const rated = (ratingsGiven: number, username = 'EmberFox') => ({ at: NOON - 5, raters: [{ username, ratingsGiven }] });
const raters = definitionsOf([definition(1, { rule: { kind: 'ratings-given', count: 3 } })]);

describe('ratings given', () => {
  it('are the most that was told, in any order', async () => {
    const { people, user, unlocks } = openPeople(raters);
    await people.observePlayers([look(sighting())], false);
    expect(await people.rated([rated(2), rated(4), { at: NOON, raters: [] }], false)).toMatchObject({ unlocks: 1 });
    expect(await people.rated([rated(3), rated(4)], false)).toMatchObject({ changed: 0 });
    expect(await user()).toMatchObject({ ratingsGiven: 4, unlocked: [1], score: 10 });
    expect(await unlocks()).toEqual([{ userKey: 'emberfox', achievementId: 1, unlockedAt: NOON - 5 }]);
  });

  it('are also those of somebody whom the feed shows later', async () => {
    const { people, user, told, unlocks } = openPeople(raters);
    await people.rated([rated(2)], false);
    await people.observePlayers([look(sighting({ username: 'EMBERFOX' }))], false);
    expect(await user()).toMatchObject({ username: 'EMBERFOX', gamertag: 'Ember Fox', ratingsGiven: 2 });
    await people.rated([rated(3)], false);
    expect(await unlocks()).toHaveLength(1);
    expect(await told(userStored.key)).toMatchObject([
      { users: [{ username: 'EmberFox', gamertag: '' }] },
      { users: [{ username: 'EMBERFOX', gamertag: 'Ember Fox' }] },
    ]);
  });

  it('don’t bring back who was forgotten', async () => {
    const { people, store, user } = openPeople(raters);
    await store.profiles.forget({
      userKey: 'emberfox',
      playerKey: undefined,
      hashes: [hashOfTests.user('emberfox')],
      facts: [],
    });
    expect(await people.rated([rated(3), { at: NOON, raters: [] }], false)).toMatchObject({ changed: 0 });
    expect(await user()).toBeUndefined();
  });

  it('of nobody are nothing', async () => {
    const { people } = openPeople(raters);
    expect(await people.rated([{ at: NOON, raters: [] }], false)).toEqual({
      changed: 0,
      slots: 0,
      unlocks: 0,
      refused: 0,
    });
    expect(await people.rated([rated(0)], false)).toMatchObject({ changed: 0 });
  });
});
