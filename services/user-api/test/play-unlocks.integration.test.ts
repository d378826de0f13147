import { achievementUnlocked } from '@lobbystats/contracts';
import { definition, definitionsOf, GAME } from './achievement-builders.ts';
import { poll, NOON, openUsers, playMessage, RACING, sighting, SLOT, spans, TENNIS } from './observed-users.ts';

describe('play time achievement', () => {
  it('is unlocked at the slot that reached its bound', async () => {
    const { catalog, unlocks, user } = openUsers(
      definitionsOf([
        definition(1, { rule: { kind: 'play-minutes', minutes: 15 } }),
        definition(2, { rule: { kind: 'play-minutes', minutes: 20 } }),
        definition(3, { rule: { kind: 'play-minutes-in-title', titleId: TENNIS, minutes: 10 }, points: 25 }),
        definition(4, { rule: { kind: 'titles-played', count: 2 } }),
        definition(5, { rule: { kind: 'play-minutes', minutes: 30 } }),
      ]),
    );
    const first = NOON - 10 * SLOT;
    const playedSpans = spans(
      { titleId: TENNIS, from: first + 3 * SLOT, slots: 2 },
      { titleId: RACING, from: first, slots: 3 },
    );
    expect(await catalog.applyPlayTime([playMessage(playedSpans)], true)).toMatchObject({ slots: 5, unlocks: 4 });
    expect(await unlocks()).toEqual([
      { userKey: 'emberfox', achievementId: 3, unlockedAt: first + 4 * SLOT },
      { userKey: 'emberfox', achievementId: 2, unlockedAt: first + 3 * SLOT },
      { userKey: 'emberfox', achievementId: 4, unlockedAt: first + 3 * SLOT },
      { userKey: 'emberfox', achievementId: 1, unlockedAt: first + 2 * SLOT },
    ]);
    expect(await user()).toMatchObject({ unlocked: [1, 2, 3, 4], score: 55 });
  });

  it('is unlocked once and kept when a slot moves to another title', async () => {
    const rule = { kind: 'play-minutes-in-title', titleId: TENNIS, minutes: 5 } as const;
    const { catalog, unlocks, user, pendingFacts } = openUsers(definitionsOf([definition(1, { rule })]));
    for (const titleId of [TENNIS, RACING, TENNIS]) {
      await catalog.applyPresence([poll(sighting({ titleId }))], false);
    }
    await catalog.applyPresence([poll(sighting({ titleId: TENNIS, lastSeenAt: NOON + SLOT }))], false);
    expect(await unlocks()).toEqual([{ userKey: 'emberfox', achievementId: 1, unlockedAt: NOON }]);
    expect(await user()).toMatchObject({ unlocked: [1], score: 10 });
    expect(await pendingFacts(achievementUnlocked.key)).toHaveLength(1);
  });

  it('is unlocked at the time of the message when its bound had been reached earlier', async () => {
    const { catalog, store, clock, unlocks } = openUsers();
    await catalog.applyPlayTime([playMessage(spans({ from: NOON - 3 * SLOT, slots: 3 }))], true);
    const later = openUsers(definitionsOf([definition(1, { rule: { kind: 'play-minutes', minutes: 15 } })]));
    const user = (await store.users.users(['emberfox'])).get('emberfox')!;
    await later.store.users.commit({ expectedRevision: 0, revision: 1, users: [user] });
    clock.nowMs += 1000;
    await later.catalog.applyPresence([poll(sighting({ lastSeenAt: NOON + 7 }))], false);
    expect(await later.unlocks()).toMatchObject([{ unlockedAt: NOON }]);
    expect(await unlocks()).toEqual([]);
  });

  it('is published with hidden achievements masked', async () => {
    const rule = { kind: 'play-minutes', minutes: 5 } as const;
    const { catalog, pendingFacts } = openUsers(
      definitionsOf([
        definition(1, { rule, group: GAME }),
        definition(2, { rule, group: GAME, isHidden: true, name: 'A true name', key: 'true-key' }),
      ]),
    );
    await catalog.applyPresence([poll(sighting())], false);
    const [fact] = await pendingFacts(achievementUnlocked.key);
    expect(fact).toMatchObject({
      unlocks: [
        { achievementId: 1, achievementName: 'Name 1 (Harbor Racing)', gameName: 'Harbor Racing' },
        { achievementId: 2, achievementKey: 'hidden-2', achievementName: 'Hidden Achievement', gameName: '' },
      ],
    });
    expect(JSON.stringify(fact)).not.toMatch(/true/i);
  });
});
