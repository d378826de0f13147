import { achievementUnlocked } from '@lobbystats/contracts';
import { definition, definitionsOf, GAME } from './achievement-builders.ts';
import {
  createCatalog,
  poll,
  NOON,
  openUsers,
  playMessage,
  RACING,
  sighting,
  SLOT,
  spans,
  TENNIS,
} from './observed-users.ts';

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

  it('is lost when its slot moves to another title, and unlocked again by a later slot', async () => {
    const rule = { kind: 'play-minutes-in-title', titleId: TENNIS, minutes: 5 } as const;
    const { catalog, unlocks, user, pendingFacts } = openUsers(definitionsOf([definition(1, { rule })]));
    for (const titleId of [TENNIS, RACING, TENNIS]) {
      await catalog.applyPresence([poll(sighting({ titleId }))], false);
    }
    expect(await unlocks()).toEqual([]);
    expect(await user()).toMatchObject({ unlocked: [], score: 0 });
    await catalog.applyPresence([poll(sighting({ titleId: TENNIS, lastSeenAt: NOON + SLOT }))], false);
    expect(await unlocks()).toEqual([{ userKey: 'emberfox', achievementId: 1, unlockedAt: NOON + SLOT }]);
    expect(await user()).toMatchObject({ unlocked: [1], score: 10 });
    expect(await pendingFacts(achievementUnlocked.key)).toMatchObject([
      { unlocks: [{ achievementId: 1 }] },
      { unlocks: [] },
      { unlocks: [{ achievementId: 1 }] },
    ]);
  });

  it('is unlocked just before the first stored day when its bound was reached earlier', async () => {
    const { catalog, store, clock } = openUsers();
    await catalog.applyPlayTime([playMessage(spans({ from: NOON - 29 * 86_400, slots: 3 }))], true);
    clock.nowMs += 10 * 86_400_000;
    const now = NOON + 10 * 86_400;
    const firstDay = Math.floor(now / 86_400) - 32;
    await store.users.removeDaysBefore(firstDay);
    const rule = { kind: 'play-minutes', minutes: 15 } as const;
    const later = createCatalog(store.users, definitionsOf([definition(1, { rule })]), () => clock.nowMs);
    await later.applyPresence([poll(sighting({ lastSeenAt: now }))], false);
    expect(await store.users.unlocksOf('emberfox')).toMatchObject([{ unlockedAt: firstDay * 86_400 - SLOT }]);
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
