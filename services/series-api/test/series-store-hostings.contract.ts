import type { SeriesStore } from '../src/open-store.ts';
import type { Hosting } from '../src/matches/hostings.queries.ts';
import { commitSlots } from './commit-slots.ts';
import { emptySlots, HARBOR, HOUR, NOW, RALLY, SLOT, slotsFrom, type SlotSketch } from './observations.ts';

const EVER = { after: 0, until: NOW + HOUR };

/** A slot with these hosts in titles. */
function hosting(slot: number, hosts: Record<string, string[]>): [number, SlotSketch] {
  const titles = Object.entries(hosts).map(([titleId, names]) => {
    return [titleId, { matches: Object.fromEntries(names.map((name) => [name, 1])) }] as const;
  });
  return [slot, { titles: Object.fromEntries(titles) }];
}

/** Number of matches, first begin and last end. */
function sumOf(hostings: readonly Hosting[]): [number, number, number] {
  return [
    hostings.reduce((sum, { matches }) => sum + matches, 0),
    Math.min(...hostings.map(({ startedAt }) => startedAt)),
    Math.max(...hostings.map(({ endedAt }) => endedAt)),
  ];
}

/** Matches by host. */
export function describeHostings(store: () => SeriesStore): void {
  describe('hostings', () => {
    it('are none for a player who has hosted no match', async () => {
      await commitSlots(store(), [hosting(NOW, { [HARBOR]: ['Ada'] })]);
      for (const key of ['bob', '', '__proto__', "' OR 1=1 --", '%', 'a\0b']) {
        expect(await store().hostings(key, EVER)).toEqual([]);
      }
    });

    it('contain the matches of a host in every title and in any spelling', async () => {
      await commitSlots(store(), [
        ...slotsFrom(NOW, 3).map((slot) => hosting(slot, { [HARBOR]: ['Ember Fox'], [RALLY]: ['Ember Fox', 'Ada'] })),
        hosting(NOW + 6 * SLOT, { [HARBOR]: ['EMBER fox'] }),
      ]);
      const found = await store().hostings('ember fox', EVER);
      expect(sumOf(found)).toEqual([3, NOW, NOW + 6 * SLOT]);
      expect(new Set(found.map(({ host }) => host))).toEqual(new Set(['Ember Fox', 'EMBER fox']));
      expect(sumOf(await store().hostings('ada', EVER))).toEqual([1, NOW, NOW + 2 * SLOT]);
    });

    it('count a match once that later slots have extended or joined', async () => {
      await commitSlots(store(), [
        hosting(NOW, { [HARBOR]: ['Ada'] }),
        ...[NOW + SLOT, NOW + 3 * SLOT].flatMap((slot) => emptySlots(slot, 1)),
        hosting(NOW + 4 * SLOT, { [HARBOR]: ['Ada'] }),
      ]);
      expect(sumOf(await store().hostings('ada', EVER))).toEqual([2, NOW, NOW + 4 * SLOT]);
      await commitSlots(store(), [hosting(NOW + 2 * SLOT, { [HARBOR]: ['Ada'] })]);
      await commitSlots(store(), [hosting(NOW + 5 * SLOT, { [HARBOR]: ['Ada'] })]);
      expect(sumOf(await store().hostings('ada', EVER))).toEqual([1, NOW, NOW + 5 * SLOT]);
    });

    it('are those that end after the begin of a period and begin by its end', async () => {
      await commitSlots(
        store(),
        slotsFrom(NOW, 2).map((slot) => hosting(slot, { [HARBOR]: ['Ada'] })),
      );
      const count = async (after: number, until: number) => (await store().hostings('ada', { after, until })).length;
      expect(await count(NOW + SLOT - 1, NOW + HOUR)).toBe(1);
      expect(await count(NOW + SLOT, NOW + HOUR)).toBe(0);
      expect(await count(0, NOW)).toBe(1);
      expect(await count(0, NOW - 1)).toBe(0);
    });

    it('keep every host that a network may name', async () => {
      const names = ['__proto__', 'constructor', '\u{1F3C1}', 'a"b', "o'neil", 'a\0b', 'x'.repeat(200)];
      await commitSlots(store(), [hosting(NOW, { [HARBOR]: names })]);
      for (const name of names) {
        expect((await store().hostings(name.toLowerCase(), EVER)).map(({ host }) => host)).toEqual([name]);
      }
    });
  });
}
