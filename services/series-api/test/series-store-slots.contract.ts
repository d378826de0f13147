import type { SeriesStore } from '../src/open-store.ts';
import type { TitleLobbies } from '../src/live/lobbies.queries.ts';
import { commitSlots } from './commit-slots.ts';
import { CHESS, HARBOR, NOW, RALLY, SLOT } from './observations.ts';

const EVER = { after: 0, until: NOW * 2 };

/** Sites and titles, slot by slot. */
export function describeSlots(store: () => SeriesStore): void {
  describe('slots', () => {
    it('an empty store has none', async () => {
      expect(await store().slotBefore(NOW)).toBeNull();
      expect(await store().slotAfter(NOW)).toBeNull();
      expect(await store().siteSnapshots(EVER)).toEqual([]);
      expect(await store().siteOnline(EVER)).toEqual([]);
      expect(await store().siteLobbies(EVER)).toEqual([]);
      expect(await store().titleOnline(HARBOR, EVER)).toEqual([]);
      expect(await store().titlePeaks(EVER)).toEqual([]);
      expect(await store().titleDayPeaks(EVER)).toEqual([]);
      expect(await store().titlesIn(NOW)).toEqual([]);
      expect(await store().lobbiesIn(NOW)).toEqual([]);
      expect(await store().newestLobbies([HARBOR], EVER)).toEqual([]);
      expect(await store().title(HARBOR)).toBeNull();
      expect(await store().titleNames()).toEqual(new Map());
    });

    it('a period excludes its start, includes its end, and is ascending', async () => {
      await commitSlots(store(), [
        [NOW + SLOT, { online: 2, titles: { [HARBOR]: { online: 5 } } }],
        [NOW, { online: 1, titles: { [HARBOR]: { online: 4 } } }],
      ]);
      await commitSlots(store(), [[NOW - SLOT, { online: 0, titles: { [HARBOR]: { online: 3 } } }]]);
      const period = { after: NOW - SLOT, until: NOW + SLOT };
      expect((await store().siteSnapshots(period)).map(({ slot }) => slot)).toEqual([NOW, NOW + SLOT]);
      expect(await store().siteOnline(period)).toEqual([
        [NOW, 1],
        [NOW + SLOT, 2],
      ]);
      expect(await store().titleOnline(HARBOR, period)).toEqual([
        [NOW, 4],
        [NOW + SLOT, 5],
      ]);
      expect(await store().siteOnline({ after: NOW, until: NOW + SLOT - 1 })).toEqual([]);
    });

    it('slotBefore and slotAfter return the nearest slots, exclusive of the instant', async () => {
      await commitSlots(store(), [
        [NOW, {}],
        [NOW + 5 * SLOT, {}],
      ]);
      expect(await store().slotBefore(NOW)).toBeNull();
      expect(await store().slotBefore(NOW + 1)).toBe(NOW);
      expect(await store().slotBefore(NOW + 9 * SLOT)).toBe(NOW + 5 * SLOT);
      expect(await store().slotAfter(NOW)).toBe(NOW + 5 * SLOT);
      expect(await store().slotAfter(NOW - 1)).toBe(NOW);
      expect(await store().slotAfter(NOW + 5 * SLOT)).toBeNull();
    });

    it('a commit stores all counts, and null for missing ones', async () => {
      const whole = { online: 7, sessions: 2, players: 5, matches: { Ada: 3, Bob: 1 } };
      const {
        slots: [complete, lacking],
      } = await commitSlots(store(), [
        [NOW, { online: 12, registered: 900, titles: { [CHESS]: {}, [HARBOR]: whole } }],
        [NOW + SLOT, { online: 13, titles: { [HARBOR]: { ...whole, matches: null } } }],
      ]);
      expect(await store().siteSnapshots(EVER)).toEqual([complete!.site, lacking!.site]);
      expect(await store().titlesIn(NOW)).toEqual([complete!.titles[1], complete!.titles[0]]);
      expect(await store().titlesIn(NOW + SLOT)).toEqual(lacking!.titles);
      expect(await store().titlesIn(NOW, CHESS)).toEqual([complete!.titles[0]]);
      expect(await store().titlesIn(NOW, RALLY)).toEqual([]);
      expect(await store().siteLobbies(EVER)).toEqual([[NOW, 2]]);
    });

    it('committing the same batch again changes nothing', async () => {
      const sketch = { online: 3, registered: 10, titles: { [HARBOR]: { online: 3, matches: { Ada: 2 } } } };
      const batch = await commitSlots(store(), [[NOW, sketch]]);
      const read = () => Promise.all([store().siteSnapshots(EVER), store().titlesIn(NOW), store().runsBetween(0, NOW)]);
      const before = await read();
      await store().commit({ ...batch, runs: { put: batch.runs.put, remove: batch.runs.put } });
      expect(await read()).toEqual(before);
    });

    it('titlePeaks returns peak, sum and number of the snapshots of each title, by title ID', async () => {
      await commitSlots(store(), [
        [NOW, { titles: { [HARBOR]: { online: 90 }, [RALLY]: { online: 50 } } }],
        [NOW + SLOT, { titles: { [HARBOR]: { online: 4 }, [CHESS]: {} } }],
        [NOW + 2 * SLOT, { titles: { [HARBOR]: { online: 6 } } }],
      ]);
      expect(await store().titlePeaks({ after: NOW, until: NOW + 2 * SLOT })).toEqual([
        { titleId: HARBOR, peak: 6, total: 10, samples: 2 },
        { titleId: CHESS, peak: 0, total: 0, samples: 1 },
      ]);
    });

    it('newestLobbies returns the hosts of the newest slot in which the page of the title was read', async () => {
      await commitSlots(store(), [
        [NOW, { titles: { [HARBOR]: { matches: { Ada: 1, Bob: 1 } }, [RALLY]: { matches: { Eve: 1 } } } }],
        [NOW + SLOT, { titles: { [HARBOR]: { matches: { Cyd: 1 } }, [RALLY]: {}, [CHESS]: { matches: null } } }],
        [NOW + 2 * SLOT, { titles: { [HARBOR]: { matches: null } } }],
      ]);
      const hosts = async (after: number, until: number, titleIds = [HARBOR, RALLY, CHESS]) =>
        hostsByTitle(await store().newestLobbies(titleIds, { after, until }));
      expect(await hosts(NOW - 1, NOW + 2 * SLOT)).toEqual({ [HARBOR]: ['Cyd'], [RALLY]: [] });
      expect(await hosts(NOW - 1, NOW + 2 * SLOT, [RALLY])).toEqual({ [RALLY]: [] });
      expect(await hosts(NOW - 1, NOW)).toEqual({ [HARBOR]: ['Ada', 'Bob'], [RALLY]: ['Eve'] });
      expect(await hosts(NOW + SLOT, NOW + 2 * SLOT)).toEqual({});
      expect(await hosts(NOW - 1, NOW, [])).toEqual({});
    });

    it('lobbiesIn returns the hosts of each title with open lobbies in a slot', async () => {
      await commitSlots(store(), [
        [NOW, { titles: { [HARBOR]: { matches: { Ada: 1, Bob: 1 } }, [RALLY]: {}, [CHESS]: { matches: null } } }],
        [NOW + SLOT, { titles: { [RALLY]: { matches: { Eve: 1 } } } }],
      ]);
      expect(hostsByTitle(await store().lobbiesIn(NOW))).toEqual({ [HARBOR]: ['Ada', 'Bob'] });
      expect(hostsByTitle(await store().lobbiesIn(NOW + SLOT))).toEqual({ [RALLY]: ['Eve'] });
      expect(await store().lobbiesIn(NOW + 2 * SLOT)).toEqual([]);
      expect(hostsByTitle(await store().lobbiesIn(NOW, HARBOR))).toEqual({ [HARBOR]: ['Ada', 'Bob'] });
      expect(await store().lobbiesIn(NOW, RALLY)).toEqual([]);
    });
  });

  describe('titles', () => {
    it('a title is known from a slot, without a name', async () => {
      await commitSlots(store(), [[NOW, { titles: { [CHESS]: {} } }]]);
      expect(await store().title(CHESS)).toEqual({ titleId: CHESS, name: '' });
      expect(await store().title(HARBOR)).toBeNull();
      expect(await store().titleNames()).toEqual(new Map([[CHESS, '']]));
    });

    it('a title has the name of the highest revision, in any order', async () => {
      const name = async () => (await store().title(HARBOR))?.name;
      await store().putTitleNames(5, [{ titleId: HARBOR, name: 'Harbor Racing' }]);
      await store().putTitleNames(3, [
        { titleId: HARBOR, name: 'Before' },
        { titleId: RALLY, name: '🏁 \0 __proto__' },
      ]);
      expect(await name()).toBe('Harbor Racing');
      expect(await store().title(RALLY)).toEqual({ titleId: RALLY, name: '🏁 \0 __proto__' });
      expect((await store().titleNames()).get(RALLY)).toBe('🏁 \0 __proto__');
      await commitSlots(store(), [[NOW, { titles: { [HARBOR]: {} } }]]);
      expect(await name()).toBe('Harbor Racing');
      await store().putTitleNames(1_800_000_000_000, [{ titleId: HARBOR, name: 'After' }]);
      expect(await name()).toBe('After');
    });
  });
}

function hostsByTitle(lobbies: readonly TitleLobbies[]): Record<string, string[]> {
  return Object.fromEntries(lobbies.map(({ titleId, hosts }) => [titleId, hosts.toSorted()]));
}
