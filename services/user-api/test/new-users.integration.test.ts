import { createCatalog, NOON, openUsers, poll, sighting } from './observed-users.ts';
import { definitionsOf } from './achievement-builders.ts';

const LIMIT = { base: 3, share: 0.5 };
const rules = definitionsOf([]);

function setUp() {
  const { store } = openUsers(rules);
  const clock = { nowMs: NOON * 1000 };
  const catalog = createCatalog(store.users, rules, () => clock.nowMs, LIMIT);
  return { users: store.users, catalog, clock };
}

const named = (from: number, to: number) =>
  poll(...Array.from({ length: to - from }, (_, index) => sighting({ username: `Player${from + index}` })));

describe('new users of the player feed', () => {
  it('are taken up to the limit of a day and counted above it, while known ones go on', async () => {
    const { users, catalog, clock } = setUp();
    expect(await catalog.applyPresence([named(0, 3)], false)).toMatchObject({ changed: 3, refusedUsers: 0 });
    expect(await catalog.applyPresence([named(0, 9)], false)).toMatchObject({ refusedUsers: 6 });
    expect(await users.count()).toBe(3);
    const later = poll(sighting({ username: 'Player1', gamertag: 'Renamed', lastSeenAt: NOON + 300 }));
    clock.nowMs += 300_000;
    expect(await catalog.applyPresence([later], false)).toMatchObject({ changed: 1, refusedUsers: 0 });
  });

  it('are taken again on the next UTC day, with a share of those that were known before', async () => {
    const { users, catalog, clock } = setUp();
    await catalog.applyPresence([named(0, 9)], false);
    clock.nowMs += 86_400_000;
    await catalog.applyPresence([named(0, 9)], false);
    expect(await users.count()).toBe(7);
  });

  it('stay bounded through hours of a feed with other names in each poll', async () => {
    const { users, catalog } = setUp();
    for (let slot = 0; slot < 48; slot += 1) await catalog.applyPresence([named(slot * 100, slot * 100 + 100)], false);
    expect(await users.count()).toBe(3);
  });

  it('are not limited in a backfill, which is read once', async () => {
    const { users, catalog } = setUp();
    await catalog.applyPresence([named(0, 50)], true);
    expect(await users.count()).toBe(50);
  });
});

describe('new hosts of matches', () => {
  it('are taken up to the limit of a day, while known ones and users go on', async () => {
    const { store } = openUsers(rules);
    const clock = { nowMs: (NOON + 3600) * 1000 };
    const catalog = createCatalog(store.users, rules, () => clock.nowMs, undefined, { base: 2, share: 0 });
    await catalog.applyPresence([poll(sighting({ gamertag: 'Ember Fox' }))], false);
    const ended = (at: number, ...hosts: string[]) => [{ at, matches: hosts.map((host) => ({ host, endedAt: at })) }];
    expect(await catalog.applyMatches(ended(NOON, 'A', 'B', 'C', 'D', 'Ember Fox'), false)).toMatchObject({
      changed: 3,
      refusedUsers: 2,
    });
    expect(await catalog.applyMatches(ended(NOON + 300, 'E', 'A', 'Ember Fox'), false)).toMatchObject({
      changed: 2,
      refusedUsers: 1,
    });
    clock.nowMs += 86_400_000;
    await catalog.applyMatches(ended(NOON + 86_400, 'E'), false);
    const players = await store.users.playersAfter(undefined, 9);
    expect(players.map(({ key, hosted }) => [key, hosted])).toEqual([
      ['a', 2],
      ['b', 1],
      ['e', 1],
      ['ember fox', 2],
    ]);
  });
});
