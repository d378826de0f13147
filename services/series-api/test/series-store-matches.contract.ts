import type { MatchRun } from '../src/matches/match-runs.ts';
import type { SeriesStore } from '../src/open-store.ts';
import { commitSlots } from './commit-slots.ts';
import { emptySlots, HARBOR, HOUR, NOW, RALLY, SLOT, slotsFrom, type SlotSketch } from './observations.ts';

const ALL = { limit: Infinity, offset: 0 };

/** A slot with these players by host of one title. */
function hosting(slot: number, matches: Record<string, number>, titleId = HARBOR): [number, SlotSketch] {
  return [slot, { titles: { [titleId]: { matches } } }];
}

/** Matches, by their runs. */
export function describeMatches(store: () => SeriesStore): void {
  describe('matches', () => {
    it('an empty store has none', async () => {
      expect(await store().runsBetween(0, NOW)).toEqual([]);
      expect(await store().matches(HARBOR, { after: 0, until: NOW }, ALL)).toEqual({ total: 0, matches: [] });
      const none = { total: 0, uniqueHosts: 0, peakPlayers: 0 };
      expect(await store().matchTotals(HARBOR, { after: 0, until: NOW })).toEqual(none);
    });

    it('runsBetween returns the runs that overlap the period', async () => {
      await commitSlots(store(), [
        ...slotsFrom(NOW, 3).map((slot) => hosting(slot, { Ada: 1 })),
        ...slotsFrom(NOW + 6 * SLOT, 2).map((slot) => hosting(slot, { Bob: 2 }, RALLY)),
      ]);
      const hosts = async (from: number, to: number) =>
        (await store().runsBetween(from, to)).map(({ host }) => host).toSorted();
      expect(await hosts(NOW + 2 * SLOT, NOW + 6 * SLOT)).toEqual(['Ada', 'Bob']);
      expect(await hosts(NOW + SLOT, NOW + SLOT)).toEqual(['Ada']);
      expect(await store().runsBetween(NOW, NOW + 7 * SLOT, RALLY)).toMatchObject([{ titleId: RALLY, host: 'Bob' }]);
      expect(await hosts(NOW + 2 * SLOT + 1, NOW + 6 * SLOT - 1)).toEqual([]);
      const counts = { players: 2, maxPlayers: 8, peakPlayers: 2 };
      expect(await store().runsBetween(NOW + 7 * SLOT, NOW + HOUR)).toEqual([
        { titleId: RALLY, host: 'Bob', startedAt: NOW + 6 * SLOT, endedAt: NOW + 7 * SLOT, ...counts },
      ]);
    });

    it('countRuns counts the runs that began within the period', async () => {
      await commitSlots(store(), [
        ...slotsFrom(NOW, 3).map((slot) => hosting(slot, { Ada: 1, Eve: 1 })),
        ...slotsFrom(NOW + 6 * SLOT, 2).map((slot) => hosting(slot, { Bob: 2 }, RALLY)),
      ]);
      const count = (from: number, to: number) => store().countRuns(from, to);
      expect([await count(NOW, NOW), await count(NOW + SLOT, NOW + 5 * SLOT)]).toEqual([2, 0]);
      expect([await count(NOW + SLOT, NOW + 6 * SLOT), await count(NOW, NOW + HOUR)]).toEqual([1, 3]);
      // Ada's match goes on.
      await commitSlots(store(), [hosting(NOW + 4 * SLOT, { Ada: 5 })]);
      expect(await count(NOW, NOW + HOUR)).toBe(3);
    });

    it('later commits extend and join runs', async () => {
      await commitSlots(store(), [
        hosting(NOW, { Ada: 3 }),
        ...[NOW + SLOT, NOW + 3 * SLOT].flatMap((slot) => emptySlots(slot, 1)),
        hosting(NOW + 4 * SLOT, { Ada: 5 }),
      ]);
      expect(await store().runsBetween(0, NOW + HOUR)).toHaveLength(2);
      await commitSlots(store(), [hosting(NOW + 2 * SLOT, { Ada: 9 })]);
      await commitSlots(store(), [hosting(NOW + 5 * SLOT, { Ada: 1 })]);
      const run = { titleId: HARBOR, host: 'Ada', startedAt: NOW, endedAt: NOW + 5 * SLOT };
      const joined: MatchRun = { ...run, players: 1, maxPlayers: 8, peakPlayers: 9 };
      expect(await store().runsBetween(0, NOW + HOUR)).toEqual([joined]);
    });

    it('late slots without a host cut its match where slots had not been read', async () => {
      // Long enough for the matches that a store keeps apart.
      const first = NOW - 7 * HOUR;
      const read = [...slotsFrom(first, 20), ...slotsFrom(first + 24 * SLOT, 70)];
      await commitSlots(
        store(),
        read.map((slot, index) => hosting(slot, { Ada: index + 1, Bob: 1 })),
      );
      const last = read.at(-1)!;
      const runsOf = async (name: string) =>
        (await store().runsBetween(0, NOW + HOUR))
          .filter(({ host }) => host === name)
          .map(({ startedAt, endedAt, players, peakPlayers }) => [startedAt, endedAt, players, peakPlayers])
          .toSorted(([a = 0], [b = 0]) => a - b);
      expect(await runsOf('Ada')).toEqual([[first, last, 90, 90]]);
      await commitSlots(store(), [hosting(first + 21 * SLOT, { Bob: 2 })]);
      expect(await runsOf('Ada')).toEqual([[first, last, 90, 90]]);
      await commitSlots(store(), [hosting(first + 22 * SLOT, { Bob: 2 })]);
      expect(await runsOf('Ada')).toEqual([
        [first, first + 19 * SLOT, 20, 20],
        [first + 24 * SLOT, last, 90, 90],
      ]);
      expect(await runsOf('Bob')).toEqual([[first, last, 1, 2]]);
      expect((await store().matches(HARBOR, { after: 0, until: NOW }, ALL)).total).toBe(3);
    });

    it('are paged by newest end, then by host in code-point order', async () => {
      const hosts = { b: 1, B: 1, '\u{1F3C1}': 1, '\uFF21': 1, '': 1, 'a\0b': 1 };
      await commitSlots(store(), [hosting(NOW, hosts), hosting(NOW + SLOT, { Zoe: 1 })]);
      const period = { after: NOW - SLOT, until: NOW + SLOT };
      const order = ['Zoe', '', 'B', 'a\0b', 'b', '\uFF21', '\u{1F3C1}'];
      const { total, matches } = await store().matches(HARBOR, period, ALL);
      expect([total, matches.map(({ host }) => host)]).toEqual([7, order]);
      const page = await store().matches(HARBOR, period, { limit: 3, offset: 2 });
      expect([page.total, page.matches.map(({ host }) => host)]).toEqual([7, order.slice(2, 5)]);
      expect(await store().matches(HARBOR, period, { limit: 3, offset: 100_000 })).toEqual({ total: 7, matches: [] });
      expect((await store().matches(RALLY, period, ALL)).total).toBe(0);
    });

    it('a period excludes its start and includes its end', async () => {
      await commitSlots(store(), [
        hosting(NOW, { Ada: 1 }),
        ...slotsFrom(NOW, 2).map((slot) => hosting(slot, { Bob: 1 }, RALLY)),
      ]);
      const total = async (titleId: string, after: number, until: number) =>
        (await store().matches(titleId, { after, until }, ALL)).total;
      expect(await total(HARBOR, NOW - HOUR, NOW)).toBe(1);
      expect(await total(HARBOR, NOW - HOUR, NOW - 1)).toBe(0);
      expect(await total(HARBOR, NOW, NOW + HOUR)).toBe(0);
    });

    it('are reported as of the end of the period', async () => {
      await commitSlots(store(), [
        hosting(NOW - HOUR, { Old: 1 }),
        hosting(NOW - SLOT, { Ada: 9, Bob: 1 }),
        hosting(NOW, { Ada: 2, Bob: 1 }),
        hosting(NOW + SLOT, { Ada: 30, New: 1 }),
      ]);
      const period = { after: NOW - 2 * HOUR, until: NOW };
      const run = { titleId: HARBOR, maxPlayers: 8, startedAt: NOW - SLOT, endedAt: NOW };
      const old = { titleId: HARBOR, host: 'Old', startedAt: NOW - HOUR, endedAt: NOW - HOUR };
      const matches: MatchRun[] = [
        { ...run, host: 'Ada', players: 2, peakPlayers: 9 },
        { ...run, host: 'Bob', players: 1, peakPlayers: 1 },
        { ...old, players: 1, maxPlayers: 8, peakPlayers: 1 },
      ];
      expect(await store().matches(HARBOR, period, ALL)).toEqual({ total: 3, matches });
      expect(await store().matches(HARBOR, period, { limit: 1, offset: 1 })).toEqual({
        total: 3,
        matches: [matches[1]],
      });
      expect(await store().matchTotals(HARBOR, period)).toEqual({ total: 3, uniqueHosts: 3, peakPlayers: 10 });
    });

    it('matchTotals counts hosts once, and its peak is of one match or of all in one snapshot', async () => {
      await commitSlots(store(), [
        hosting(NOW - SLOT, { Ada: 50 }),
        hosting(NOW, { Ada: 4, Bob: 5 }),
        ...emptySlots(NOW + SLOT, 3),
        hosting(NOW + 4 * SLOT, { Ada: 6 }),
        [NOW + 5 * SLOT, { titles: { [HARBOR]: { matches: null } } }],
      ]);
      const period = { after: NOW - SLOT, until: NOW + HOUR };
      expect(await store().matchTotals(HARBOR, period)).toEqual({ total: 3, uniqueHosts: 2, peakPlayers: 50 });
      const later = { after: NOW + SLOT, until: NOW + HOUR };
      expect(await store().matchTotals(HARBOR, later)).toEqual({ total: 1, uniqueHosts: 1, peakPlayers: 6 });
    });
  });
}
