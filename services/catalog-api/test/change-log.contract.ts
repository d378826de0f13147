import fc from 'fast-check';
import { changeTypes, nameKey } from '@lobbystats/contracts';
import type { ChangeFilter } from '../src/changes/changes.queries.ts';
import type { StoredChange } from '../src/changes/stored-change.ts';
import type { CatalogStore } from '../src/open-store.ts';
import { change, commitNext, HOUR, type BoardStore } from './stored-boards.ts';

/** Contract tests of {@link BoardStore}: changes. `open` returns an empty catalog each time. */
export function describeChangeLog(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`${adapter} as a change log`, () => {
    let catalog: CatalogStore;
    let store: BoardStore;
    beforeEach(async () => {
      catalog = await open();
      store = catalog.boards;
    });
    afterEach(async () => {
      await catalog.close();
    });

    it('returns no changes before the first commit', async () => {
      expect(await store.changes({}, { offset: 0, limit: 9 })).toEqual([]);
      expect(await store.countChanges({})).toBe(0);
      expect(await store.countChanges({ titleId: '4d530064', type: 'new', since: 0 }, 5)).toBe(0);
      expect(await store.changedTitles()).toEqual([]);
    });

    it('reads back changes exactly as committed', async () => {
      const nothing = { oldRank: null, oldRating: null, oldTimeMs: null, newTimeMs: null };
      const changes = [
        change(1, { playerName: 'NUL \0 🏁 __proto__', newRank: 2_147_483_647, newTimeMs: 0 }),
        change(2, {
          ...nothing,
          type: 'new',
          isTime: false,
          titleId: 'ffffffff',
          leaderboardId: 0,
          newRating: '',
          beaten: { name: '\0', rating: '', timeMs: 0 },
        }),
        change(3),
      ];
      await commitNext(store, { changes });
      expect(await store.changes({}, { after: 0, offset: 0, limit: 9 })).toEqual(changes);
      expect(await store.changesById([2, 7])).toEqual([changes[1]]);
      expect(await store.changeLog()).toMatchObject({ lastId: 3, lastChangedAt: HOUR + 3 });
    });

    it('lists and counts changes by filter and page', async () => {
      const log = Array.from({ length: 60 }, (_, index) =>
        change(index + 1, {
          type: changeTypes[(index * 7) % 3] ?? 'new',
          titleId: `0000000${(index * index) % 4}`,
          leaderboardId: index % 3,
          playerName: PLAYERS[(index * 5) % PLAYERS.length] ?? '',
          newRank: index % 4 === 0 ? null : index % 3,
          beaten: index % 5 > 2 ? null : { name: 'Oak', rating: '0:50.000', timeMs: 50_000 },
          changedAt: HOUR + Math.floor(index / 5) * 60,
        }),
      );
      for (let first = 0; first < log.length; first += 13) {
        await commitNext(store, { changes: log.slice(first, first + 13) });
      }
      expect((await store.changedTitles()).sort()).toEqual(['00000000', '00000001']);

      await fc.assert(
        fc.asyncProperty(filters, pages, async (filter, page) => {
          const matching = log.filter((one) => isMatch(one, filter));
          const above = matching.filter(({ id }) => id > (page.after ?? 0));
          const bounded = above.filter(({ id }) => id < (page.before ?? Infinity));
          const ordered = page.after === undefined ? bounded.toReversed() : bounded;
          const expected = ordered.slice(page.offset, page.offset + page.limit);
          expect(await store.changes(filter, page)).toEqual(expected);
          expect(await store.countChanges(filter)).toBe(matching.length);
          expect(await store.countChanges(filter, page.after)).toBe(above.length);
        }),
        { numRuns: 150 },
      );

      await fc.assert(
        fc.asyncProperty(titleId, fc.nat(3), fc.array(playerKey), async (title, leaderboardId, playerKeys) => {
          const expected = log.filter(
            (one) =>
              one.titleId === title &&
              one.leaderboardId === leaderboardId &&
              playerKeys.includes(nameKey(one.playerName)),
          );
          const found = await store.changesOnBoard({ titleId: title, leaderboardId }, playerKeys);
          expect(found).toEqual(expected.toReversed());
        }),
      );
    });
  });
}

function isMatch(one: StoredChange, { titleId, leaderboardIds, playerKey, type, first, since }: ChangeFilter): boolean {
  return (
    (titleId === undefined || one.titleId === titleId) &&
    (leaderboardIds === undefined || leaderboardIds.includes(one.leaderboardId)) &&
    (playerKey === undefined || nameKey(one.playerName) === playerKey) &&
    (type === undefined || one.type === type) &&
    (first === undefined || one.newRank === 1) &&
    (first !== 'records' || one.beaten !== null) &&
    (since === undefined || one.changedAt > since)
  );
}

const PLAYERS = ['Ember Fox', 'EMBER FOX ', 'Élan', 'E\u0301LAN', '__proto__', 'nul \0', '$where'];
const ids = fc.integer({ min: 0, max: 65 });
const titleId = fc.constantFrom('00000000', '00000001', '00000007');
const playerKey = fc.constantFrom('nobody', ...PLAYERS.map(nameKey));
const others = {
  type: fc.constantFrom(...changeTypes),
  first: fc.constantFrom('all' as const, 'records' as const),
  since: fc.integer({ min: HOUR - 60, max: HOUR + 780 }),
};
const filters: fc.Arbitrary<ChangeFilter> = fc.oneof(
  fc.record({ titleId, playerKey, ...others }, { requiredKeys: [] }),
  fc.record(
    { titleId, leaderboardIds: fc.array(fc.integer({ min: 0, max: 3 })), ...others },
    { requiredKeys: ['titleId', 'leaderboardIds'] },
  ),
);
const pages = fc.record(
  { before: ids, after: ids, offset: fc.integer({ min: 0, max: 30 }), limit: fc.integer({ min: 1, max: 20 }) },
  { requiredKeys: ['offset', 'limit'] },
);
