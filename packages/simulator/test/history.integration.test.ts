import fc from 'fast-check';
import type { TitleObservation } from '../src/index.ts';
import { parseActivity, parseGamePage, parseHomepage } from './page-reader.ts';
import { instant, NOW_SECONDS, NOW_SLOT, withSimulator, type RunningSimulator } from './running-simulator.ts';

interface Feed {
  slots: { slot: string; registered: number; online: number; titles: TitleObservation[] }[];
  next: string | null;
}

const SMALL = { titles: 25, openMatches: 30 };
const DAY = 86_400;

describe('history feed', () => {
  it('equals the pages of each slot', async () => {
    await withSimulator(SMALL, async (simulator) => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: NOW_SLOT / 300 }), async (index) => {
          await expectHistoryToMatchPages(simulator, index * 300);
        }),
        { numRuns: 20, examples: [[NOW_SLOT / 300], [0]] },
      );
    });
  });

  it('equals the pages of the default network', async () => {
    await withSimulator({}, async (simulator) => {
      await expectHistoryToMatchPages(simulator, NOW_SLOT);
    });
  });

  it('includes from, excludes to, and lists each slot once', async () => {
    await withSimulator(SMALL, async ({ json, world }) => {
      const { slots, next } = await json<Feed>(history(NOW_SLOT - 3_599, NOW_SLOT - 600));
      expect(slots.map(({ slot }) => slot)).toEqual(
        Array.from({ length: 9 }, (_, index) => instant(NOW_SLOT - 3_300 + index * 300)),
      );
      expect(next).toBeNull();
      const observations = slots.map(({ slot, ...rest }) => ({ ...rest, slot: Date.parse(slot) / 1000 }));
      expect(observations).toEqual(observations.map(({ slot }) => world.observe(slot)));
    });
  });

  it('returns at most a day of slots per response and continues at next', async () => {
    await withSimulator({ titles: 3, openMatches: 2 }, async ({ json }) => {
      const seen: string[] = [];
      const lengths: number[] = [];
      let from: string | null = instant(NOW_SLOT - 2 * DAY - 300);
      while (from !== null) {
        const feed: Feed = await json(`/simulator/history?from=${from}&to=${instant(NOW_SLOT)}`);
        seen.push(...feed.slots.map(({ slot }) => slot));
        lengths.push(feed.slots.length);
        from = feed.next;
      }
      expect(lengths).toEqual([288, 288, 1]);
      expect(seen).toEqual(Array.from({ length: 577 }, (_, index) => instant(NOW_SLOT - 2 * DAY - 300 + index * 300)));
    });
  });

  it('ends a response early when it grows too large', async () => {
    await withSimulator({ titles: 3_000, openMatches: 3_000, players: 100_000 }, async ({ json }) => {
      const { slots, next } = await json<Feed>(history(NOW_SLOT - DAY, NOW_SLOT));
      expect(slots.length).toBeGreaterThan(0);
      expect(slots.length).toBeLessThan(100);
      expect(next).toBe(instant(NOW_SLOT - DAY + slots.length * 300));
    });
  });

  it('ends with the present slot', async () => {
    await withSimulator(SMALL, async ({ json }) => {
      const { slots, next } = await json<Feed>(history(NOW_SLOT - 300, NOW_SLOT + DAY));
      expect([slots.map(({ slot }) => slot), next]).toEqual([[instant(NOW_SLOT - 300), instant(NOW_SLOT)], null]);
      expect(await json(history(NOW_SLOT + 300, NOW_SLOT + DAY))).toEqual({ slots: [], next: null });
      expect(await json(history(NOW_SLOT, NOW_SLOT))).toEqual({ slots: [], next: null });
    });
  });

  it('lists 365 days of registered users as of the last slot of each day', async () => {
    await withSimulator(SMALL, async ({ json, world }) => {
      const today = NOW_SECONDS - (NOW_SECONDS % DAY);
      const feed = await json<Feed>(`${history(today - 365 * DAY, NOW_SECONDS)}&step=86400`);
      expect(feed.next).toBeNull();
      expect(feed.slots).toEqual(
        Array.from({ length: 366 }, (_, index) => {
          const day = today + (index - 365) * DAY;
          const lastSlot = index === 365 ? NOW_SLOT : day + DAY - 300;
          return { slot: instant(day), registered: world.registeredAt(lastSlot) };
        }),
      );
    });
  });

  it('rejects invalid parameters and names the reason', async () => {
    await withSimulator(SMALL, async ({ get }) => {
      const day = '2026-05-01T00:00:00Z';
      for (const [query, reason] of [
        ['', 'from must be'],
        [`from=${day}`, 'to must be'],
        [`from=2026-05-01&to=${day}`, 'from must be'],
        [`from=${day}&to=2026-05-02T00:00:00Z&to=${day}`, 'to must be'],
        [`from=2026-05-02T00:00:00Z&to=${day}`, 'from must not be after to'],
        [`from=${day}&to=${day}&step=60`, 'step must be 300 or 86400'],
        [`from=99999-01-01T00:00:00Z&to=${day}`, 'from must be'],
      ]) {
        const response = await get(`/simulator/history?${query}`);
        expect(response.status).toBe(400);
        expect(await response.json()).toEqual({ error: expect.stringContaining(reason!) });
      }
    });
  });
});

async function expectHistoryToMatchPages(simulator: RunningSimulator, slot: number): Promise<void> {
  const { slots } = await simulator.json<Feed>(history(slot, slot + 300));
  const observation = slots[0]!;
  expect(slots).toHaveLength(1);
  expect(observation.slot).toBe(instant(slot));
  const home = parseHomepage(await simulator.text(`/?at=${observation.slot}`));
  expect({ registered: observation.registered, online: observation.online }).toEqual({
    registered: home.registered,
    online: home.online,
  });
  expect(observation.titles).toHaveLength(home.supported);
  const read = await Promise.all(
    home.games.map(async ({ titleId, online, activity }) => ({
      titleId,
      online,
      ...parseActivity(activity),
      matches: parseGamePage(await simulator.text(`/games/${titleId}?at=${observation.slot}`)).matches,
    })),
  );
  expect(observation.titles).toEqual(read);
}

function history(from: number, to: number): string {
  return `/simulator/history?from=${instant(from)}&to=${instant(to)}`;
}
