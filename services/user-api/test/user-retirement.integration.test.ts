import { userStored } from '@lobbystats/contracts';
import { cleanUp, eventually } from '@lobbystats/test-kit';
import { startUserRetirement } from '../src/observations/user-retirement.ts';
import { DAY, NOON, openUsers, playMessage, poll, sighting, spans, type ObservedUsers } from './observed-users.ts';
import { profile, put, unlock, userWithUnlocks } from './stored-records.ts';

const DAY_SECONDS = 86_400;

/** In no game, so that it earns no play time. */
const idle = (username: string, lastSeenAt = NOON) =>
  sighting({ username, gamertag: `${username} tag`, titleId: null, game: null, lastSeenAt });

/** A poll that shows nobody else, this many days later. */
async function pollLater({ catalog, clock }: ObservedUsers, days: number): Promise<void> {
  clock.nowMs += days * DAY_SECONDS * 1000;
  await catalog.applyPresence([poll(idle('Somebody', clock.nowMs / 1000))], false);
}

async function retireAll({ catalog }: ObservedUsers): Promise<void> {
  let position: Parameters<typeof catalog.retire>[0];
  do position = (await catalog.retire(position)).next;
  while (position !== undefined);
}

const keysOf = async ({ store }: ObservedUsers) =>
  (await store.users.usersAfter(undefined, 1000)).map(({ key }) => key).filter((key) => key !== 'somebody');
const playersOf = async ({ store }: ObservedUsers) =>
  (await store.users.playersAfter(undefined, 1000)).map(({ key }) => key);

describe('users who have left the feed for 30 days', () => {
  it('are retired, as other services are informed, and return with the feed', async () => {
    const observed = openUsers();
    await observed.catalog.applyPresence([poll(idle('EmberFox'), idle('Wren'))], false);
    await pollLater(observed, 29);
    await retireAll(observed);
    expect(await keysOf(observed)).toEqual(['emberfox', 'wren']);
    await pollLater(observed, 2);
    await retireAll(observed);
    expect(await keysOf(observed)).toEqual([]);
    const facts = (await observed.pendingFacts(userStored.key)).map((data) => userStored.data.parse(data));
    expect(facts.at(-1)).toMatchObject({ users: [], retired: ['EmberFox', 'Wren'] });
    await observed.catalog.applyPresence([poll(idle('EmberFox', observed.clock.nowMs / 1000))], false);
    expect(await keysOf(observed)).toEqual(['emberfox']);
  });

  it('stay with a profile, play time, an achievement, a rating given, a rank or a hosted match', async () => {
    const observed = openUsers();
    const { catalog, store } = observed;
    const names = ['Fresh', 'Profiled', 'Player', 'Earner', 'Rater', 'Ranked', 'Host'];
    await catalog.applyPresence([poll(...names.map((name) => idle(name)))], false);
    await store.profiles.writeProfile({ profile: profile('profiled'), facts: [] });
    await catalog.applyPlayTime([playMessage({ ...spans({ from: NOON }), username: 'Player' })], false);
    const earner = userWithUnlocks('earner', [1], {
      titles: [],
      presence: { at: NOON, isOnline: false, titleId: null, game: null },
    });
    await put(store, { users: [earner], unlocks: [unlock('earner', 1)] });
    await catalog.applyRatings([{ at: NOON, raters: [{ username: 'Rater', ratingsGiven: 1 }] }], false);
    const rank = { gamertag: 'Ranked tag', titleId: '4d530064', leaderboardId: 1, rank: 9 };
    await catalog.applyRanks([{ at: NOON, revision: 1, ranks: [rank] }], false);
    await catalog.applyMatches([{ at: NOON, matches: [{ host: 'Host tag', endedAt: NOON }] }], false);
    await pollLater(observed, 400);
    await retireAll(observed);
    expect(await keysOf(observed)).toEqual(['earner', 'host', 'player', 'profiled', 'ranked', 'rater']);
    expect(await playersOf(observed)).toEqual(['host tag', 'ranked tag']);
  });

  it('stay through an outage of the network, which shows nobody', async () => {
    const observed = openUsers();
    await observed.catalog.applyPresence([poll(idle('EmberFox'))], false);
    observed.clock.nowMs += 90 * DAY_SECONDS * 1000;
    await retireAll(observed);
    expect(await keysOf(observed)).toEqual(['emberfox']);
  });

  it('are not stored when a feed lists them for the first time', async () => {
    const observed = openUsers();
    const result = await observed.catalog.applyPresence([poll(idle('Old', NOON - 31 * DAY_SECONDS))], false);
    expect(result).toMatchObject({ changed: 0, refusedUsers: 0 });
    expect(await keysOf(observed)).toEqual([]);
  });

  it('are passed in batches, however many they are, once a UTC day', async () => {
    const observed = openUsers();
    const { catalog, clock } = observed;
    await catalog.applyPresence([poll(...Array.from({ length: 1203 }, (_, index) => idle(`User ${index}`)))], false);
    await pollLater(observed, 31);
    let calls = 0;
    const counted = {
      retire: async (...position: Parameters<typeof catalog.retire>) => {
        calls += 1;
        return catalog.retire(...position);
      },
    };
    const retirement = startUserRetirement({
      catalog: counted,
      clock: () => clock.nowMs,
      onFault: (error): never => {
        throw error;
      },
    });
    cleanUp(() => retirement.stop());
    await eventually(async () => {
      expect(await keysOf(observed)).toEqual([]);
      expect(calls).toBe(4);
    });
  });
});

describe('hosts who have no account', () => {
  it('are forgotten once their last match is older than 30 days', async () => {
    const observed = openUsers();
    const { catalog } = observed;
    const hosted = (host: string, endedAt: number) => ({ at: endedAt, matches: [{ host, endedAt }] });
    await catalog.applyMatches([hosted('Old', NOON)], false);
    await pollLater(observed, 20);
    await catalog.applyMatches([hosted('New', DAY + 20 * DAY_SECONDS)], false);
    await pollLater(observed, 12);
    await retireAll(observed);
    expect(await playersOf(observed)).toEqual(['new']);
  });

  it('are forgotten when they have left all leaderboards', async () => {
    const observed = openUsers();
    const { catalog } = observed;
    const rank = { titleId: '4d530064', leaderboardId: 1 };
    const ranks = [
      { ...rank, gamertag: 'Gone', rank: 1 },
      { ...rank, gamertag: 'Stays', rank: 2 },
    ];
    await catalog.applyRanks([{ at: NOON, revision: 1, ranks }], false);
    await catalog.applyRanks([{ at: NOON, revision: 2, ranks: [{ ...rank, gamertag: 'Gone', rank: null }] }], false);
    await pollLater(observed, 1);
    await retireAll(observed);
    expect(await playersOf(observed)).toEqual(['stays']);
  });
});
