import type { SeriesStore } from '../src/open-store.ts';
import { commitSlots } from './commit-slots.ts';
import { DAY, HARBOR, NOW, SLOT, slotsFrom, TODAY, type SlotSketch } from './observations.ts';

const EVER = { after: 0, until: NOW * 2 };

/** Contract of `purge`. */
export function describeRetention(store: () => SeriesStore): void {
  const purgeAll = async (snapshots: number, dailies: number, slots: number): Promise<number> => {
    let calls = 1;
    while (await store().purge({ snapshots, dailies }, slots)) calls += 1;
    return calls;
  };

  describe('purge', () => {
    it('an empty store has nothing to purge', async () => {
      expect(await store().purge({ snapshots: NOW, dailies: NOW }, 10)).toBe(false);
    });

    it('removes slots up to the instant and no later ones', async () => {
      await commitSlots(
        store(),
        slotsFrom(NOW, 3).map((slot): [number, SlotSketch] => [slot, { titles: { [HARBOR]: { online: 1 } } }]),
      );
      await purgeAll(NOW + SLOT, 0, 10);
      expect(await store().siteOnline(EVER)).toEqual([[NOW + 2 * SLOT, 0]]);
      expect(await store().titleOnline(HARBOR, EVER)).toEqual([[NOW + 2 * SLOT, 1]]);
    });

    it('removes a limited number of slots per call, oldest first', async () => {
      const all = slotsFrom(NOW, 25);
      await commitSlots(
        store(),
        all.map((slot, index): [number, SlotSketch] => [
          slot,
          { titles: { [HARBOR]: { matches: { [`h${index}`]: 1 } } } },
        ]),
      );
      expect(await store().purge({ snapshots: NOW * 2, dailies: 0 }, 10)).toBe(true);
      expect((await store().siteOnline(EVER)).map(([slot]) => slot)).toEqual(all.slice(10));
      expect(await store().runsBetween(0, NOW * 2)).toHaveLength(15);
      expect(await purgeAll(NOW * 2, 0, 10)).toBeLessThan(5);
      expect(await store().slotAfter(0)).toBeNull();
      expect(await store().runsBetween(0, NOW * 2)).toEqual([]);
    });

    it('a match that ended after the instant remains complete', async () => {
      const playing = (players: number) => ({ titles: { [HARBOR]: { matches: { Ada: players } } } });
      await commitSlots(store(), [
        [NOW, playing(9)],
        [NOW + SLOT, playing(1)],
      ]);
      await purgeAll(NOW, 0, 10);
      const run = { titleId: HARBOR, host: 'Ada', startedAt: NOW, endedAt: NOW + SLOT };
      expect(await store().runsBetween(0, EVER.until)).toEqual([{ ...run, players: 1, maxPlayers: 8, peakPlayers: 9 }]);
      await commitSlots(store(), [[NOW + 2 * SLOT, playing(2)]]);
      expect(await store().runsBetween(0, EVER.until)).toEqual([
        { ...run, endedAt: NOW + 2 * SLOT, players: 2, maxPlayers: 8, peakPlayers: 9 },
      ]);
    });

    it('removes days by their own instant and leaves titles known', async () => {
      const days = [TODAY - 2 * DAY, TODAY - DAY, TODAY];
      await commitSlots(
        store(),
        days.map((day) => [day, { registered: 1, titles: { [HARBOR]: {} } }]),
      );
      await store().rollUp(days);
      await purgeAll(NOW * 2, TODAY - 2 * DAY, 10);
      expect((await store().registered(EVER)).map(({ day }) => day)).toEqual(days.slice(1));
      expect((await store().titleDays(HARBOR, EVER)).map(({ day }) => day)).toEqual(days.slice(1));
      expect(await store().title(HARBOR)).toEqual({ titleId: HARBOR, name: '' });
    });
  });
}
