import type { World } from '../src/index.ts';
import { instant, NOW_SECONDS, NOW_SLOT, withSimulator, type RunningSimulator } from './running-simulator.ts';

interface FeedPlayer {
  username: string;
  gamertag: string;
  verified: boolean;
  spans: { titleId: string | null; game: string | null; from: string; to: string }[];
}

interface Feed {
  players: FeedPlayer[];
  next: string | null;
}

const DAY = 86_400;
const TODAY = NOW_SLOT - (NOW_SLOT % DAY);
const SMALL = { titles: 25, openMatches: 15, boards: 10, entries: 100 };

describe('player history feed', () => {
  it('equals the players feed of each slot', async () => {
    await withSimulator(SMALL, async (simulator) => {
      const { players } = await readAll(simulator, TODAY - 2 * DAY, NOW_SECONDS);
      for (const slot of [TODAY - 2 * DAY, TODAY - DAY - 300, TODAY - DAY, TODAY - 40_200, NOW_SLOT - 300, NOW_SLOT]) {
        const feed = await simulator.json<{
          players: { username: string; titleId: string | null; game: string | null }[];
        }>(`/feeds/players.json?at=${instant(slot)}`);
        expect(inSlot(players, slot)).toEqual(
          sorted(feed.players.map(({ username, titleId, game }) => [username, titleId, game])),
        );
      }
      expect(players).toEqual(expectedPlayers(simulator.world, TODAY - 2 * DAY, NOW_SLOT));
    });
  });

  it('cuts spans at day boundaries and at the requested period', async () => {
    await withSimulator(SMALL, async ({ json, world }) => {
      const [from, to] = [TODAY - 4_321, TODAY + 10_000];
      const { players, next } = await json<Feed>(history(from, to));
      expect(next).toBeNull();
      expect(players).toEqual(expectedPlayers(world, TODAY - 4_200, TODAY + 9_900));
      for (const { spans } of players) {
        for (const span of spans) {
          expect(Date.parse(span.from)).toBeGreaterThanOrEqual(from * 1000);
          expect(Date.parse(span.to)).toBeLessThan(to * 1000);
          expect(span.from.slice(0, 10)).toBe(span.to.slice(0, 10));
        }
      }
    });
  });

  it('pages are complete, without duplicates, and at most 2 MB', async () => {
    await withSimulator({ titles: 60 }, async (simulator) => {
      const { players, sizes } = await readAll(simulator, NOW_SECONDS - DAY, NOW_SECONDS);
      expect(sizes.length).toBeGreaterThan(1);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000_000);
      expect(players).toEqual(expectedPlayers(simulator.world, NOW_SLOT - DAY + 300, NOW_SLOT));
    });
  });

  it('ends with the present slot', async () => {
    await withSimulator(SMALL, async ({ json, world }) => {
      const { players } = await json<Feed>(history(NOW_SLOT - 600, NOW_SECONDS + DAY));
      expect(players).toEqual(expectedPlayers(world, NOW_SLOT - 600, NOW_SLOT));
      expect(await json(history(NOW_SLOT + 300, NOW_SECONDS + DAY))).toEqual({ players: [], next: null });
      expect(await json(history(NOW_SLOT, NOW_SLOT))).toEqual({ players: [], next: null });
    });
  });

  it('continues over periods without players', async () => {
    await withSimulator({ titles: 3, openMatches: 0, boards: 0, entries: 0 }, async (simulator) => {
      const { players, sizes } = await readAll(simulator, TODAY - 40 * DAY, NOW_SECONDS);
      expect(players).toEqual([]);
      expect(sizes).toHaveLength(2);
    });
  });

  it('rejects invalid parameters and names the reason', async () => {
    await withSimulator(SMALL, async ({ get }) => {
      const span = `from=${instant(TODAY)}&to=${instant(NOW_SLOT)}`;
      const early = Buffer.from(String(TODAY / DAY - 1)).toString('base64url');
      for (const [query, reason] of [
        ['', 'from must be'],
        [`from=${instant(NOW_SLOT)}&to=${instant(TODAY)}`, 'from must not be after to'],
        [`${span}&cursor=`, 'cursor must be'],
        [`${span}&cursor=abc`, 'cursor must be'],
        [`${span}&cursor=${early}`, 'cursor must be'],
        [`${span}&cursor=a&cursor=b`, 'cursor must be'],
      ]) {
        const response = await get(`/simulator/history/players?${query}`);
        expect([query, response.status]).toEqual([query, 400]);
        expect(await response.json()).toEqual({ error: expect.stringContaining(reason!) });
      }
    });
  });

  it('can be truncated or rejected by faults', async () => {
    await withSimulator(SMALL, async ({ faults, get }) => {
      await faults({ path: '/simulator/history/players', kind: 'truncate', ends: 'cleanly', times: 1 });
      const path = history(TODAY - DAY, NOW_SLOT);
      const cut = await (await get(path)).text();
      expect(() => JSON.parse(cut) as unknown).toThrow();
      await faults({ path: '/simulator/history', kind: 'status', status: 502, times: 1 });
      expect([(await get(path)).status, (await get(path)).status]).toEqual([502, 200]);
    });
  });
});

/** Expected feed of the slots from `first` to `last`. */
function expectedPlayers(world: World, first: number, last: number): FeedPlayer[] {
  const expectedFeed: FeedPlayer[] = [];
  for (let day = first - (first % DAY); day <= last; day += DAY) {
    for (const { player, spans } of world.playersOfDay(day)) {
      const cut = spans
        .map(({ title, from, to }) => ({ title, from: Math.max(from, first), to: Math.min(to, last) }))
        .filter(({ from, to }) => from <= to)
        .map(({ title, from, to }) => ({
          titleId: title?.titleId ?? null,
          game: title?.name ?? null,
          from: instant(from),
          to: instant(to),
        }));
      if (cut.length > 0) expectedFeed.push({ ...world.userOf(player), spans: cut });
    }
  }
  return expectedFeed;
}

function inSlot(players: readonly FeedPlayer[], slot: number): unknown[][] {
  const at = instant(slot);
  return sorted(
    players.flatMap(({ username, spans }) =>
      spans.filter(({ from, to }) => from <= at && at <= to).map(({ titleId, game }) => [username, titleId, game]),
    ),
  );
}

function sorted(rows: unknown[][]): unknown[][] {
  return rows.toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));
}

async function readAll(
  { get }: RunningSimulator,
  from: number,
  to: number,
): Promise<{ players: FeedPlayer[]; sizes: number[] }> {
  const players: FeedPlayer[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const body = await (await get(history(from, to) + (cursor === '' ? '' : `&cursor=${cursor}`))).text();
    const feed = JSON.parse(body) as Feed;
    players.push(...feed.players);
    sizes.push(Buffer.byteLength(body));
    cursor = feed.next;
  }
  return { players, sizes };
}

function history(from: number, to: number): string {
  return `/simulator/history/players?from=${instant(from)}&to=${instant(to)}`;
}
