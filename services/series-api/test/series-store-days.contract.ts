import type { SeriesStore } from '../src/open-store.ts';
import { rollUp } from '../src/days/rollups.ts';
import { commitSlots } from './commit-slots.ts';
import { emptySlots, DAY, HARBOR, RALLY, SLOT, TODAY } from './observations.ts';

const EVER = { after: 0, until: TODAY * 2 };

/** Registered users, titles' days, and the number of what is stored. */
export function describeDays(store: () => SeriesStore): void {
  describe('counts of what is stored', () => {
    it('an empty store has nothing', async () => {
      expect(await store().countStored(EVER)).toEqual({ slots: 0, days: 0, registeredDays: 0 });
    });

    it('slots count within the period, each once, and days always', async () => {
      await commitSlots(store(), [
        [TODAY, { registered: 100 }],
        [TODAY + SLOT, {}],
        [TODAY + 2 * SLOT, { registered: 101 }],
      ]);
      await commitSlots(store(), [[TODAY + SLOT, {}]]);
      await rollUp(store(), [TODAY]);
      expect(await store().countStored(EVER)).toEqual({ slots: 3, days: 1, registeredDays: 1 });
      const later = { after: TODAY, until: TODAY + 2 * SLOT };
      expect(await store().countStored(later)).toEqual({ slots: 2, days: 1, registeredDays: 1 });
    });
  });

  describe('registered users', () => {
    const read = async () =>
      (await store().registered(EVER)).map(({ day, registered, seenAt }) => [day, registered, seenAt]);

    it('an empty store has none', async () => {
      expect(await read()).toEqual([]);
    });

    it('the latest reading of a day wins in any order; on a tie the greater count', async () => {
      const put = (registered: number, seenAt: number) => store().putRegistered([{ day: TODAY, registered, seenAt }]);
      await put(5, TODAY + 2 * SLOT);
      await put(9, TODAY + SLOT);
      expect(await read()).toEqual([[TODAY, 5, TODAY + 2 * SLOT]]);
      await put(7, TODAY + 2 * SLOT);
      await put(6, TODAY + 2 * SLOT);
      expect(await read()).toEqual([[TODAY, 7, TODAY + 2 * SLOT]]);
      await put(1, TODAY + 3 * SLOT);
      expect(await read()).toEqual([[TODAY, 1, TODAY + 3 * SLOT]]);
    });

    it('a committed slot with a registered count updates its day', async () => {
      await store().putRegistered([{ day: TODAY, registered: 100, seenAt: TODAY + SLOT }]);
      await commitSlots(store(), [
        [TODAY, { registered: 99 }],
        [TODAY + 2 * SLOT, { registered: 101 }],
        [TODAY + 3 * SLOT, {}],
        [TODAY - SLOT, { registered: 98 }],
      ]);
      expect(await read()).toEqual([
        [TODAY - DAY, 98, TODAY - SLOT],
        [TODAY, 101, TODAY + 2 * SLOT],
      ]);
    });

    it('a period excludes its start and includes its end', async () => {
      const days = [TODAY, TODAY - DAY, TODAY - 2 * DAY];
      await store().putRegistered(days.map((day) => ({ day, registered: 1, seenAt: day })));
      const found = await store().registered({ after: TODAY - 2 * DAY, until: TODAY });
      expect(found.map(({ day }) => day)).toEqual([TODAY - DAY, TODAY]);
    });
  });

  describe('daily statistics of titles', () => {
    it('are computed from the snapshots and the match runs of the day', async () => {
      await commitSlots(store(), [
        [TODAY - SLOT, { titles: { [HARBOR]: { online: 99, matches: { Ada: 90 } } } }],
        [TODAY, { titles: { [HARBOR]: { online: 3, matches: { Ada: 2, Bob: 3 } } } }],
        [TODAY + SLOT, { titles: { [HARBOR]: { online: 8, matches: null } } }],
        ...emptySlots(TODAY + 2 * SLOT, 2),
        [TODAY + 6 * SLOT, { titles: { [HARBOR]: { online: 1, matches: { Bob: 4 } } } }],
        [TODAY + DAY, { titles: { [HARBOR]: { online: 77, matches: { Cyd: 70 } } } }],
      ]);
      await store().rollUp([TODAY]);
      expect(await store().titleDays(HARBOR, EVER)).toEqual([
        {
          day: TODAY,
          lobbyCount: 3,
          uniqueHosts: 2,
          peakPlayers: 5,
          peakOnline: 8,
          onlineSum: 12,
          samples: 3,
          newestSlot: TODAY + 6 * SLOT,
        },
      ]);
      expect(await store().titleDays(RALLY, EVER)).toEqual([]);
    });

    it('count 0 lobbies when no page was read', async () => {
      await commitSlots(store(), [[TODAY, { titles: { [HARBOR]: { matches: null } } }]]);
      await store().rollUp([TODAY, TODAY + DAY]);
      const counts = { lobbyCount: 0, uniqueHosts: 0, peakPlayers: 0, peakOnline: 0, onlineSum: 0, samples: 1 };
      expect(await store().titleDays(HARBOR, EVER)).toEqual([{ day: TODAY, newestSlot: TODAY, ...counts }]);
    });

    it('count a match that spans midnight on both days, once a late slot has joined its runs', async () => {
      const playing = { titles: { [HARBOR]: { matches: { Ada: 1 } } } };
      await commitSlots(store(), [
        [TODAY - 3 * SLOT, playing],
        ...emptySlots(TODAY - 2 * SLOT, 1),
        [TODAY, playing],
        ...emptySlots(TODAY + SLOT, 2),
        [TODAY + 3 * SLOT, playing],
      ]);
      await store().rollUp([TODAY - DAY, TODAY]);
      const counts = async () =>
        (await store().titleDays(HARBOR, EVER)).map(({ lobbyCount, uniqueHosts }) => [lobbyCount, uniqueHosts]);
      expect(await counts()).toEqual([
        [1, 1],
        [2, 1],
      ]);
      await commitSlots(store(), [[TODAY - SLOT, playing]]);
      await commitSlots(store(), [[TODAY + 2 * SLOT, playing]]);
      await store().rollUp([TODAY - DAY, TODAY]);
      expect(await counts()).toEqual([
        [1, 1],
        [1, 1],
      ]);
    });

    it('are not recomputed from fewer snapshots than before', async () => {
      await commitSlots(store(), [
        [TODAY, { titles: { [HARBOR]: { online: 5 } } }],
        [TODAY + SLOT, { titles: { [HARBOR]: { online: 1 } } }],
      ]);
      await store().rollUp([TODAY]);
      const before = await store().titleDays(HARBOR, EVER);
      await store().purge({ snapshots: TODAY, dailies: 0 }, 10);
      await store().rollUp([TODAY]);
      expect(await store().titleDays(HARBOR, EVER)).toEqual(before);
    });

    it('titleDayPeaks returns peak, sum and number of the snapshots of each title, by title ID', async () => {
      const days = [TODAY - 2 * DAY, TODAY - DAY, TODAY];
      await commitSlots(store(), [
        [days[0]!, { titles: { [HARBOR]: { online: 90 }, [RALLY]: { online: 9 } } }],
        [days[1]!, { titles: { [HARBOR]: { online: 4 } } }],
        [days[2]!, { titles: { [HARBOR]: { online: 6 } } }],
        [days[2]! + SLOT, { titles: { [HARBOR]: { online: 1 }, [RALLY]: { online: 0 } } }],
      ]);
      await store().rollUp(days);
      expect(await store().titleDayPeaks({ after: days[0]!, until: TODAY })).toEqual([
        { titleId: RALLY, peak: 0, total: 0, samples: 1 },
        { titleId: HARBOR, peak: 6, total: 11, samples: 3 },
      ]);
    });

    it('contain each title of a large network once', async () => {
      const titleIds = Array.from({ length: 600 }, (_, index) => (0x41560000 + index).toString(16));
      const titles = Object.fromEntries(titleIds.map((titleId, online) => [titleId, { online }]));
      await commitSlots(store(), [[TODAY, { titles }]]);
      await store().rollUp([TODAY]);
      const found = await store().titleDayPeaks({ after: TODAY - DAY, until: TODAY });
      expect(found.map(({ titleId, total }) => [titleId, total])).toEqual(titleIds.map((id, online) => [id, online]));
      expect((await store().titleRecords(titleIds[599]!)).online).toEqual([TODAY, 599]);
    });

    it('a period excludes its start and includes its end', async () => {
      const days = [TODAY - 2 * DAY, TODAY - DAY, TODAY];
      await commitSlots(
        store(),
        days.map((day) => [day, { titles: { [HARBOR]: {} } }]),
      );
      await store().rollUp(days);
      const found = await store().titleDays(HARBOR, { after: TODAY - 2 * DAY, until: TODAY });
      expect(found.map(({ day }) => day)).toEqual([TODAY - DAY, TODAY]);
    });
  });
  describe('days of the site', () => {
    const day = (of: number, peakLobbies: number | null) => ({
      ...{ day: of, onlineSum: 30, samples: 3, peakOnline: 20, peakOnlineAt: of + SLOT, lobbySum: peakLobbies ?? 0 },
      ...{ lobbySamples: 1, peakLobbies, peakLobbiesAt: peakLobbies === null ? null : of, matches: 4, newestSlot: of },
    });

    it('are replaced by later ones, ascending, and kept when titles’ days are purged', async () => {
      await store().putSiteDays([day(TODAY, 3), day(TODAY - 3000 * DAY, 2), day(TODAY - DAY, null)]);
      await store().putSiteDays([{ ...day(TODAY, 5), samples: 4 }]);
      await store().purge({ snapshots: TODAY, dailies: TODAY }, 10);
      expect(await store().siteDays({ after: -1, until: TODAY })).toEqual([
        day(TODAY - 3000 * DAY, 2),
        day(TODAY - DAY, null),
        { ...day(TODAY, 5), samples: 4 },
      ]);
      expect(await store().siteDays({ after: TODAY - DAY, until: TODAY })).toHaveLength(1);
    });
  });

  describe('records of titles', () => {
    it('are null for a title without snapshots', async () => {
      expect(await store().titleRecords(HARBOR)).toEqual({ online: null, lobbies: null });
    });

    it('are the first of the highest counts, in any order of days, and outlive the snapshots', async () => {
      await commitSlots(store(), [
        [TODAY - DAY, { titles: { [HARBOR]: { online: 5, matches: null } } }],
        [TODAY - DAY + SLOT, { titles: { [HARBOR]: { online: 9, matches: { Ada: 1 } } } }],
        [TODAY - DAY + 2 * SLOT, { titles: { [HARBOR]: { online: 9, matches: { Ada: 1 } } } }],
        [TODAY, { titles: { [HARBOR]: { online: 9, matches: { Ada: 1, Bob: 1 } }, [RALLY]: { matches: null } } }],
        [TODAY + SLOT, { titles: { [HARBOR]: { online: 4, matches: { Ada: 1, Bob: 1 } } } }],
      ]);
      await store().rollUp([TODAY]);
      expect(await store().titleRecords(HARBOR)).toEqual({ online: [TODAY, 9], lobbies: [TODAY, 2] });
      await store().rollUp([TODAY - DAY, TODAY]);
      const records = { online: [TODAY - DAY + SLOT, 9], lobbies: [TODAY, 2] };
      expect(await store().titleRecords(HARBOR)).toEqual(records);
      expect(await store().titleRecords(RALLY)).toEqual({ online: [TODAY, 0], lobbies: null });
      await store().purge({ snapshots: TODAY + DAY, dailies: TODAY + DAY }, 10);
      await store().rollUp([TODAY - DAY, TODAY]);
      expect(await store().titleRecords(HARBOR)).toEqual(records);
    });
  });
}
