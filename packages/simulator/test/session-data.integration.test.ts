import { fetchAccounts, logIn, fetchData } from './auth-client.ts';
import { NOW, NOW_SLOT, withSimulator } from './running-simulator.ts';

const SMALL = { titles: 25, openMatches: 20, boards: 10, entries: 100 };

describe('session data of the auth service', () => {
  it('the profile follows presence as the clock advances', async () => {
    let now = NOW;
    await withSimulator({ ...SMALL, clock: () => now }, async (simulator) => {
      const accounts = await fetchAccounts(simulator);
      const keys = await Promise.all(accounts.map((account) => logIn(simulator, account)));
      const seen = new Set<boolean>();
      for (let round = 0; round < 12; round += 1, now += 2 * 3_600_000) {
        const slot = NOW_SLOT + (now - NOW) / 1000;
        const online = new Map(
          simulator.world
            .onlineAt(slot)
            .map(({ player, title }) => [simulator.world.userOf(player).username, title] as const),
        );
        for (const [index, { username }] of accounts.entries()) {
          const profile = await fetchData<Profile>(simulator, 'profile', keys[index]);
          const title = online.get(username);
          seen.add(profile.isOnline);
          expect(profile.isOnline).toBe(title !== undefined);
          expect(profile.status).toBe(profile.isOnline ? 'online' : 'offline');
          expect(profile.game).toBe(title?.name);
          expect(profile.timeOnline !== undefined).toBe(profile.isOnline);
          expect(profile.lastUpdated).toBe(Math.floor(now / 1000) * 1000);
          expect(profile.count).toBe(profile.gamesPlayed.length);
          const justNow = profile.gamesPlayed.filter(({ lastPlayed }) => lastPlayed === 'just now');
          expect(justNow.map((game) => game.title)).toEqual(title ? [title.name] : []);
        }
      }
      expect(seen.size).toBe(2);
    });
  });

  it('lists friends with their game or their last presence, online ones first', async () => {
    await withSimulator(SMALL, async (simulator) => {
      const { world } = simulator;
      const [account] = await fetchAccounts(simulator);
      const { friends, count } = await fetchData<Friends>(simulator, 'friends', await logIn(simulator, account));
      expect([friends.length, count]).toEqual([13, 13]);
      const online = new Map(
        world.onlineAt(NOW_SLOT).map(({ player, title }) => [world.userOf(player).gamertag, title] as const),
      );
      for (const { gamertag, isOnline, status, game, duration, lastSeen } of friends) {
        expect([gamertag, isOnline]).toEqual([gamertag, online.has(gamertag)]);
        expect([status, game]).toEqual([isOnline ? 'online' : 'offline', online.get(gamertag)?.name]);
        expect(isOnline ? duration : lastSeen).toMatch(isOnline ? /^(\d hours? )?\d+ minutes?$/ : / ago$/);
        expect(isOnline ? lastSeen : duration).toBeUndefined();
      }
      expect(friends.map(({ isOnline }) => isOnline)).toEqual(
        friends.map(({ isOnline }) => isOnline).toSorted((one, other) => Number(other) - Number(one)),
      );
    });
  });

  it('lists the games of the last week with existing icons, newest first', async () => {
    await withSimulator(SMALL, async (simulator) => {
      for (const account of await fetchAccounts(simulator)) {
        const sessionKey = await logIn(simulator, account);
        const { games, count } = await fetchData<Games>(simulator, 'games', sessionKey);
        expect(count).toBe(games.length);
        expect(games.length > 0).toBe(account.username !== 'Never Online');
        expect(new Set(games.map(({ title }) => title)).size).toBe(games.length);
        for (const { iconUrl, lastPlayed } of games) {
          expect((await fetch(iconUrl)).headers.get('content-type')).toContain('png');
          expect(lastPlayed).toMatch(/^just now$| (minute|hour|day)s? ago$/);
        }
      }
    });
  });

  it('a refresh returns the same data and success', async () => {
    await withSimulator(SMALL, async (simulator) => {
      const [account] = await fetchAccounts(simulator);
      const sessionKey = await logIn(simulator, account);
      for (const name of ['friends', 'games', 'profile']) {
        const fresh = await fetch(`${simulator.url}/api/auth/refresh/${name}`, {
          method: 'POST',
          headers: { 'x-session-key': sessionKey },
        });
        expect(await fresh.json()).toEqual({
          success: true,
          ...(await fetchData<object>(simulator, name, sessionKey)),
        });
      }
    });
  });

  it('returns empty data for a user who has never been online', async () => {
    await withSimulator(SMALL, async (simulator) => {
      const inactiveUser = (await fetchAccounts(simulator)).at(-1);
      const sessionKey = await logIn(simulator, inactiveUser!);
      const common = { lastUpdated: Date.parse('2026-05-20T18:32:10Z'), count: 0 };
      expect(await fetchData(simulator, 'friends', sessionKey)).toEqual({ friends: [], ...common });
      expect(await fetchData(simulator, 'games', sessionKey)).toEqual({ games: [], ...common });
      expect(await fetchData(simulator, 'profile', sessionKey)).toEqual({
        isOnline: false,
        status: 'offline',
        gamesPlayed: [],
        ...common,
      });
    });
  });
});

interface Games {
  games: { title: string; lastPlayed: string; iconUrl: string }[];
  count: number;
}

interface Profile {
  isOnline: boolean;
  status: string;
  game?: string;
  timeOnline?: string;
  gamesPlayed: Games['games'];
  lastUpdated: number;
  count: number;
}

interface Friends {
  friends: {
    gamertag: string;
    status: string;
    isOnline: boolean;
    game?: string;
    duration?: string;
    lastSeen?: string;
  }[];
  count: number;
}
