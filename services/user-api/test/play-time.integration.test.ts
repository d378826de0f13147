import { playtimeCredited, achievementUnlocked } from '@lobbystats/contracts';
import { listPlayDays } from '../src/play-time/list-play-days.ts';
import {
  CHESS,
  DAY,
  poll,
  NOON,
  openUsers,
  playMessage,
  RACING,
  sighting,
  SLOT,
  spans,
  TENNIS,
  createCatalog,
} from './observed-users.ts';
import { definition, definitionsOf, GAME } from './achievement-builders.ts';

describe('play time', () => {
  it('is 5 minutes for each slot in which a user is seen online in a game', async () => {
    const { catalog, user } = openUsers();
    await catalog.applyPresence([poll(sighting({ lastSeenAt: NOON - SLOT + 17 }))], false);
    await catalog.applyPresence([poll(sighting())], false);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 10, lastPlayedAt: NOON }]);
  });

  it('is listed by day, all titles together, days without any left out', async () => {
    const { catalog, store } = openUsers();
    const before = DAY - 3 * 86_400;
    await catalog.applyPlayTime(
      [playMessage(spans({ from: before, slots: 3 }, { titleId: CHESS, from: before + 9 * SLOT, slots: 2 }))],
      true,
    );
    await catalog.applyPresence([poll(sighting())], false);
    expect((await listPlayDays(store.users, 'emberfox', NOON)).body.days).toEqual([
      { date: new Date(before * 1000).toISOString().slice(0, 10), minutes: 25 },
      { date: new Date(DAY * 1000).toISOString().slice(0, 10), minutes: 5 },
    ]);
    expect((await listPlayDays(store.users, 'nobody', NOON)).body.days).toEqual([]);
  });

  it('is not credited to users who are offline or in no game', async () => {
    const { catalog, user } = openUsers();
    await catalog.applyPresence([poll(sighting({ isOnline: false }))], false);
    await catalog.applyPresence([poll(sighting({ titleId: null, game: null, lastSeenAt: NOON + 1 }))], false);
    expect(await user()).toMatchObject({ titles: [], presence: { isOnline: true, titleId: null } });
  });

  it('is credited once per slot across repeated and different messages', async () => {
    const { catalog, store, user } = openUsers();
    const messages = [playMessage(spans({ from: NOON - 4 * SLOT, slots: 4 }))];
    expect(await catalog.applyPlayTime(messages, true)).toMatchObject({ slots: 4, changed: 1 });
    const revision = await store.users.revision();
    expect(await catalog.applyPlayTime([...messages, ...messages], true)).toEqual({
      changed: 0,
      slots: 0,
      unlocks: 0,
      refused: 0,
      refusedUsers: 0,
    });
    expect(await catalog.applyPresence([poll(sighting({ lastSeenAt: NOON - SLOT }))], false)).toMatchObject({
      slots: 0,
    });
    expect(await store.users.revision()).toBe(revision);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 20, lastPlayedAt: NOON - SLOT }]);
  });

  it('is credited to the lower titleId when two titles claim a slot, in any order', async () => {
    const titles = [
      { titleId: RACING, minutes: 5, lastPlayedAt: NOON - SLOT },
      { titleId: TENNIS, minutes: 10, lastPlayedAt: NOON },
    ];
    const racing = playMessage(spans({ titleId: RACING, from: NOON - SLOT }));
    const tennis = playMessage(spans({ titleId: TENNIS, from: NOON - 2 * SLOT, slots: 3 }));
    for (const order of [[[racing], [tennis]], [[tennis], [racing]], [[racing, tennis]], [[tennis, racing]]]) {
      const { catalog, user } = openUsers();
      for (const messages of order) await catalog.applyPlayTime(messages, true);
      expect((await user())?.titles).toEqual(titles);
    }
  });

  it('ends at the previous slot when the last slot of a title moves to another title', async () => {
    const { catalog, user } = openUsers();
    const playedSpans = spans({ titleId: CHESS, from: DAY - SLOT }, { titleId: TENNIS, from: DAY - 86_400, slots: 2 });
    await catalog.applyPlayTime([playMessage(playedSpans, spans({ titleId: TENNIS, from: NOON }))], true);
    await catalog.applyPlayTime([playMessage(spans({ titleId: RACING, from: NOON }))], true);
    expect((await user())?.titles).toEqual([
      { titleId: RACING, minutes: 5, lastPlayedAt: NOON },
      { titleId: TENNIS, minutes: 10, lastPlayedAt: DAY - 86_400 + SLOT },
      { titleId: CHESS, minutes: 5, lastPlayedAt: DAY - SLOT },
    ]);
  });

  it('is removed for a title that has lost all of its slots', async () => {
    const { catalog, user } = openUsers();
    await catalog.applyPresence([poll(sighting({ titleId: TENNIS }))], false);
    await catalog.applyPresence([poll(sighting({ titleId: RACING }))], false);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 5, lastPlayedAt: NOON }]);
  });

  it('continues over midnight', async () => {
    const { catalog, user, store } = openUsers();
    await catalog.applyPlayTime([playMessage(spans({ from: DAY - 2 * SLOT, slots: 5 }))], true);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 25, lastPlayedAt: DAY + 2 * SLOT }]);
    const day = DAY / 86_400;
    const days = await store.users.playDays([day - 1, day, day + 1].map((some) => ({ key: 'emberfox', day: some })));
    expect(days.map((some) => some.day).sort()).toEqual([day - 1, day]);
  });

  it('is refused when older than 30 days or over a slot ahead, and the rest is credited', async () => {
    const { catalog, user } = openUsers();
    const oldest = NOON - 30 * 86_400;
    const message = playMessage(
      spans({ from: oldest - 2 * SLOT, slots: 3 }, { from: NOON, slots: 4 }),
      { ...spans({ from: NOON + 2 * SLOT }), username: 'Marlow' },
      { ...spans({ from: NOON }), username: 'Wren' },
    );
    expect(await catalog.applyPlayTime([message], true)).toEqual({
      changed: 2,
      slots: 4,
      unlocks: 0,
      refused: 5,
      refusedUsers: 0,
    });
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 15, lastPlayedAt: NOON + SLOT }]);
    expect(await user('marlow')).toBeUndefined();
    expect((await user('wren'))?.titles).toHaveLength(1);
  });

  it('is limited to 30 days for an endless span and ignores a span that ends before it begins', async () => {
    const { catalog, user } = openUsers();
    const endless = { titleId: RACING, from: -62_167_219_200, to: 253_402_300_500 };
    const backwards = { titleId: RACING, from: NOON, to: NOON - SLOT };
    const { slots } = await catalog.applyPlayTime([playMessage({ ...spans(), spans: [endless, backwards] })], true);
    expect(slots).toBe(30 * 288 + 2);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: slots * 5, lastPlayedAt: NOON + SLOT }]);
  });

  it('is published with total minutes once for each change of play time or presence', async () => {
    const { catalog, pendingFacts } = openUsers();
    await catalog.applyPlayTime(
      [playMessage(spans({ from: NOON - SLOT }, { titleId: TENNIS, from: NOON - 3 * SLOT }))],
      true,
    );
    const offline = sighting({ isOnline: false, titleId: null, game: null, lastSeenAt: NOON + 1 });
    for (let times = 0; times < 2; times += 1) await catalog.applyPresence([poll(offline)], false);
    const credited = { users: [{ username: 'EmberFox', totalMinutes: 10 }] };
    expect(await pendingFacts(playtimeCredited.key)).toEqual([credited, credited]);
  });
});

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
