import type { World } from '../src/index.ts';
import { instant, NOW, NOW_SECONDS, NOW_SLOT, withSimulator } from './running-simulator.ts';

interface Feed {
  players: {
    username: string;
    gamertag: string;
    isOnline: boolean;
    game: string | null;
    titleId: string | null;
    lastSeenAt: string;
    verified: boolean;
  }[];
  next: string;
}

const SMALL = { titles: 25, openMatches: 20, boards: 10, entries: 100 };
const PATH = '/feeds/players.json';

describe('players feed', () => {
  it('lists all online users, consistent with the counts of the world', async () => {
    await withSimulator(SMALL, async ({ json, world }) => {
      const feed = await json<Feed>(PATH);
      expect(feed).toEqual({ players: online(world, NOW_SLOT), next: instant(NOW_SLOT) });
      expect(feed.players).toHaveLength(world.observe(NOW_SLOT).online);
    });
  });

  it('lists users that left since the given time, with their last slot', async () => {
    await withSimulator(SMALL, async ({ json, world }) => {
      const { players } = await json<Feed>(`${PATH}?since=${instant(NOW_SLOT - 900)}`);
      const now = new Set(world.onlineAt(NOW_SLOT).map(({ player }) => player));
      const left = new Map<number, number>();
      for (const at of [NOW_SLOT - 900, NOW_SLOT - 600, NOW_SLOT - 300]) {
        for (const { player } of world.onlineAt(at)) if (!now.has(player)) left.set(player, at);
      }
      const offlinePlayers = [...left].map(([player, at]) => ({
        ...world.userOf(player),
        isOnline: false,
        game: null,
        titleId: null,
        lastSeenAt: instant(at),
      }));
      expect(byName(players)).toEqual(byName([...online(world, NOW_SLOT), ...offlinePlayers]));
      expect(left.size).toBeGreaterThan(10);
    });
  });

  it('polling with the previous next misses no change', async () => {
    let now = NOW;
    await withSimulator({ ...SMALL, clock: () => now }, async ({ json, world }) => {
      const state = new Map<string, string>();
      let path = PATH;
      for (let round = 0; round < 6; round += 1) {
        const { players, next } = await json<Feed>(path);
        for (const { username, isOnline, titleId } of players) {
          if (isOnline) state.set(username, titleId ?? '');
          else state.delete(username);
        }
        const truth = online(world, NOW_SLOT + (now - NOW) / 1000);
        expect(state).toEqual(new Map(truth.map(({ username, titleId }) => [username, titleId ?? ''])));
        path = `${PATH}?since=${next}`;
        now += 300_000;
      }
    });
  });

  it('looks back at most an hour, and ignores a future since', async () => {
    await withSimulator(SMALL, async ({ json }) => {
      const anHour = await json<Feed>(`${PATH}?since=${instant(NOW_SLOT - 3_600)}`);
      expect(await json(`${PATH}?since=2001-01-01T00:00:00Z`)).toEqual(anHour);
      const seen = anHour.players.map(({ lastSeenAt }) => Date.parse(lastSeenAt) / 1000);
      expect(Math.min(...seen)).toBe(NOW_SLOT - 3_600);
      expect(await json(`${PATH}?since=2100-01-01T00:00:00.5Z`)).toEqual(await json(PATH));
    });
  });

  it('is constant within a slot and returns 304', async () => {
    let now = NOW_SLOT * 1000;
    await withSimulator({ ...SMALL, clock: () => now }, async ({ get }) => {
      const path = `${PATH}?since=${instant(NOW_SLOT - 300)}`;
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      const body = await first.text();
      now += 299_000;
      expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
      expect(await (await get(path)).text()).toBe(body);
      now += 1_000;
      expect((await get(path, { 'if-none-match': etag })).status).toBe(200);
    });
  });

  it('serves past instants, and rejects an invalid since', async () => {
    await withSimulator(SMALL, async ({ get, json, world }) => {
      const { players } = await json<Feed>(`${PATH}?at=${instant(NOW_SECONDS - 86_400)}`);
      expect(players).toEqual(online(world, NOW_SLOT - 86_400));
      for (const since of ['', 'noon', '2026-02-30T00:00:00Z', '2026-05-20', '1969-12-31T00:00:00Z', `x&since=y`]) {
        expect([since, (await get(`${PATH}?since=${since}`)).status]).toEqual([since, 400]);
      }
    });
  });

  it('applies faults like a page', async () => {
    await withSimulator(SMALL, async ({ get, faults }) => {
      await faults({ path: PATH, kind: 'truncate', ends: 'cleanly', times: 1 });
      const cut = await (await get(PATH)).text();
      expect(() => JSON.parse(cut) as unknown).toThrow();
      await faults({ path: '*', kind: 'status', status: 502 });
      expect((await get(PATH)).status).toBe(502);
      await faults({ path: PATH, kind: 'content-type' });
      expect((await get(PATH)).headers.get('content-type')).not.toContain('json');
    });
  });
});

function online(world: World, slot: number): Feed['players'] {
  return world.onlineAt(slot).map(({ player, title }) => ({
    ...world.userOf(player),
    isOnline: true,
    game: title?.name ?? null,
    titleId: title?.titleId ?? null,
    lastSeenAt: instant(slot),
  }));
}

function byName(players: Feed['players']): Feed['players'] {
  return players.toSorted((one, other) => (one.username < other.username ? -1 : 1));
}
