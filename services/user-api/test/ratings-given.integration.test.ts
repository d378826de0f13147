import { userStored } from '@lobbystats/contracts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { testNameHash, poll, NOON, openUsers, sighting } from './observed-users.ts';

const rated = (ratingsGiven: number, username = 'EmberFox') => ({ at: NOON - 5, raters: [{ username, ratingsGiven }] });
const raters = definitionsOf([definition(1, { rule: { kind: 'ratings-given', count: 3 } })]);

describe('ratings given', () => {
  it('are the highest published count in any order', async () => {
    const { catalog, user, unlocks } = openUsers(raters);
    await catalog.applyPresence([poll(sighting())], false);
    expect(await catalog.applyRatings([rated(2), rated(4), { at: NOON, raters: [] }], false)).toMatchObject({
      unlocks: 1,
    });
    expect(await catalog.applyRatings([rated(3), rated(4)], false)).toMatchObject({ changed: 0 });
    expect(await user()).toMatchObject({ ratingsGiven: 4, unlocked: [1], score: 10 });
    expect(await unlocks()).toEqual([{ userKey: 'emberfox', achievementId: 1, unlockedAt: NOON - 5 }]);
  });

  it('are stored for a user that the feed lists later', async () => {
    const { catalog, user, pendingFacts, unlocks } = openUsers(raters);
    await catalog.applyRatings([rated(2)], false);
    await catalog.applyPresence([poll(sighting({ username: 'EMBERFOX' }))], false);
    expect(await user()).toMatchObject({ username: 'EMBERFOX', gamertag: 'Ember Fox', ratingsGiven: 2 });
    await catalog.applyRatings([rated(3)], false);
    expect(await unlocks()).toHaveLength(1);
    expect(await pendingFacts(userStored.key)).toMatchObject([
      { users: [{ username: 'EmberFox', gamertag: '' }] },
      { users: [{ username: 'EMBERFOX', gamertag: 'Ember Fox' }] },
    ]);
  });

  it('do not create an erased user again', async () => {
    const { catalog, store, user } = openUsers(raters);
    await store.erasures.eraseUser({
      userKey: 'emberfox',
      playerKey: undefined,
      hashes: [testNameHash.user('emberfox')],
      facts: [],
    });
    expect(await catalog.applyRatings([rated(3), { at: NOON, raters: [] }], false)).toMatchObject({ changed: 0 });
    expect(await user()).toBeUndefined();
  });

  it('change nothing without raters or with a count of 0', async () => {
    const { catalog } = openUsers(raters);
    expect(await catalog.applyRatings([{ at: NOON, raters: [] }], false)).toEqual({
      changed: 0,
      slots: 0,
      unlocks: 0,
      refused: 0,
      refusedUsers: 0,
    });
    expect(await catalog.applyRatings([rated(0)], false)).toMatchObject({ changed: 0 });
  });
});
