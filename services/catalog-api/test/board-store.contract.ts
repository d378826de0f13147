import type { CatalogStore } from '../src/open-store.ts';
import type { BoardStore } from './stored-boards.ts';
import { BOARD, change, commitNext, HOUR, nextCommit, put, scores, times, TITLE, write } from './stored-boards.ts';
import { fact, unserializableFact } from './title-store.contract.ts';

/** Contract tests of {@link BoardStore}: boards and versions. `open` returns an empty catalog each time. */
export function describeBoardStore(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`${adapter} as a board store`, () => {
    let catalog: CatalogStore;
    let store: BoardStore;
    beforeEach(async () => {
      catalog = await open();
      store = catalog.boards;
    });
    afterEach(async () => {
      await catalog.close();
    });

    const ab = times(['A', 1000], ['B', 2000]);
    const unknown = { titleId: '00000001', leaderboardId: 1 };

    it('returns empty results before the first commit', async () => {
      expect(await store.changeLog()).toEqual({ revision: 0, lastId: 0, lastChangedAt: 0 });
      expect(await store.states([BOARD])).toEqual([]);
      expect(await store.state(BOARD)).toBeUndefined();
      expect(await store.boardsOf(TITLE)).toEqual([]);
      expect(await store.entries(BOARD)).toEqual([]);
      expect(await store.positionOf(BOARD, 'a')).toBeUndefined();
      expect(await store.versionAt(BOARD, '9999-12-31')).toBeUndefined();
      expect(await store.lastContent(BOARD)).toBeUndefined();
    });

    it('reads back a board exactly as committed', async () => {
      const awkward = [
        { rank: 3, name: '__proto__', rating: `'; DROP TABLE entry; --`, timeMs: 0 },
        { rank: 3, name: 'NUL \0 and 🏁', rating: '', timeMs: 86_400_000_000 },
        { rank: 2_147_483_647, name: ' $gt ', rating: '%_\\', timeMs: 1 },
        { rank: 1, name: ' $gt ', rating: '%_\\', timeMs: 1 },
      ];
      const extremes = { titleId: 'ffffffff', leaderboardId: 2_147_483_647, name: '"NUL \0"', version: 9 };
      const draft = write({ ...extremes, entries: awkward, pass: 1, changedAt: 2_000_000_000 });
      await commitNext(store, { boards: [draft] });
      expect(await store.state(extremes)).toEqual(draft.state);
      expect(await store.states([extremes, unknown])).toEqual([draft.state]);
      expect(await store.entries(extremes)).toEqual(awkward);
      const content = { name: extremes.name, isTime: true, entries: awkward };
      expect(await store.versionAt(extremes, '2033-05-18')).toEqual(content);
    });

    it('counts boards, gone ones included, and their entries', async () => {
      expect(await store.sizes()).toEqual({ boards: 0, entries: 0 });
      await put(store, { entries: ab }, { leaderboardId: 2, entries: ab }, { titleId: '4d530065', entries: [] });
      expect(await store.sizes()).toEqual({ boards: 3, entries: 4 });
      await commitNext(store, { boards: [write({ gone: true, entries: [], version: 2 })] });
      expect(await store.sizes()).toEqual({ boards: 3, entries: 2 });
    });

    it('lists only the boards of one title, ordered by ID', async () => {
      await put(store, { leaderboardId: 10 }, { leaderboardId: 9 }, { titleId: '4d530065' }, { leaderboardId: 0 });
      expect((await store.boardsOf(TITLE)).map(({ leaderboardId }) => leaderboardId)).toEqual([0, 9, 10]);
    });

    it('returns consecutive pages of entries without gaps or overlaps', async () => {
      const many = times(...Array.from({ length: 250 }, (_, i) => [`P${i % 7}`, i * 10] as const));
      await put(store, { entries: many }, { leaderboardId: 2, entries: ab });
      expect(await store.entries(BOARD, { offset: 0, limit: 100 })).toEqual(many.slice(0, 100));
      expect(await store.entries(BOARD, { offset: 200, limit: 100 })).toEqual(many.slice(200));
      expect(await store.entries(BOARD, { offset: 249 })).toEqual(many.slice(249));
      expect(await store.entries(BOARD, { offset: 250, limit: 1 })).toEqual([]);
    });

    it('returns the first position of a player by case-insensitive name', async () => {
      await put(store, { entries: times(['A', 1], ['Élan', 2], ['e\u0301LAN ', 3]) });
      expect(await store.positionOf(BOARD, 'élan')).toBe(1);
      expect(await store.positionOf(BOARD, 'a')).toBe(0);
      expect(await store.positionOf(BOARD, 'nobody')).toBeUndefined();
      expect(await store.positionOf({ ...BOARD, leaderboardId: 2 }, 'a')).toBeUndefined();
    });

    it.each([
      ['an insertion at the top', times(['C', 500], ['A', 1000], ['B', 2000])],
      ['a removal at the top', times(['B', 2000])],
      ['another order', times(['B', 2000], ['A', 1000])],
      ['other values', times(['A', 999], ['B', 2001])],
      ['duplicate entries', times(['A', 1000], ['A', 1000], ['A', 900], ['B', 1])],
      ['other ranks alone', ab.map((entry) => ({ ...entry, rank: entry.rank + 7 }))],
      ['another rating alone', ab.map((entry) => ({ ...entry, rating: 'x' }))],
      ['removal of all entries', []],
    ])('replaces the entries of a board after %s', async (_what, entries) => {
      await put(store, { entries: ab });
      await put(store, { entries, version: 2 });
      expect(await store.entries(BOARD)).toEqual(entries);
      expect(await store.state(BOARD)).toMatchObject({ version: 2, entryCount: entries.length });
      const players = await store.ofPlayers({ keys: ['a', 'b', 'c'] });
      expect(players).toHaveLength(entries.length);
    });

    it('removes old entries and times when a board switches between times and scores', async () => {
      await put(store, { entries: ab });
      const points = scores(['A', '0:01.000'], ['C', '7']);
      await put(store, { isTime: false, entries: points, version: 2 });
      expect(await store.entries(BOARD)).toEqual(points);
      expect(await store.nearTime({ timeMs: 1000, tolerance: 60_000, limit: 9 })).toEqual([]);
      await put(store, { entries: ab, version: 3 });
      expect(await store.entries(BOARD)).toEqual(ab);
      expect(await store.nearTime({ timeMs: 1000, tolerance: 60_000, limit: 9 })).toHaveLength(2);
    });

    it('updates only pass and observedAt of a board that was seen unchanged', async () => {
      await put(store, { entries: ab });
      const before = await store.state(BOARD);
      await commitNext(store, { seen: [{ ...BOARD, pass: HOUR + 3600, seenAt: HOUR + 3660 }] });
      expect(await store.state(BOARD)).toEqual({ ...before, pass: HOUR + 3600, observedAt: HOUR + 3660 });
      expect(await store.entries(BOARD)).toEqual(ab);
    });

    describe('confirmation of a board', () => {
      const at = (observedAt: number) => ({ ...BOARD, pass: HOUR, seenAt: observedAt });
      beforeEach(() => put(store, { entries: ab, observedAt: HOUR + 60 }, { leaderboardId: 2, observedAt: HOUR + 60 }));

      it('a confirmation updates observedAt, but neither the revision nor other fields', async () => {
        const [log, before] = [await store.changeLog(), await store.state(BOARD)];
        await store.confirm([at(HOUR + 3660)]);
        expect(await store.state(BOARD)).toEqual({ ...before, observedAt: HOUR + 3660 });
        expect(await store.state({ ...BOARD, leaderboardId: 2 })).toMatchObject({ observedAt: HOUR + 60 });
        expect(await store.changeLog()).toEqual(log);
        expect(await store.entries(BOARD)).toEqual(ab);
      });

      it('stores the latest observedAt of confirmations in any order', async () => {
        await store.confirm([at(HOUR + 7260), at(HOUR + 3660)]);
        await store.confirm([at(HOUR + 7260), at(HOUR + 30)]);
        expect(await store.state(BOARD)).toMatchObject({ observedAt: HOUR + 7260 });
        await commitNext(store, { seen: [{ ...BOARD, pass: HOUR + 3600, seenAt: HOUR + 3660 }] });
        await put(store, { entries: ab, version: 2, observedAt: HOUR + 3660 });
        expect(await store.state(BOARD)).toMatchObject({ version: 2, observedAt: HOUR + 7260 });
      });

      it('ignores a confirmation of an unknown board or of an observation that is not stored yet', async () => {
        const later = { ...BOARD, pass: HOUR + 3600, seenAt: HOUR + 7260 };
        await store.confirm([]);
        await store.confirm([later, { ...unknown, pass: HOUR, seenAt: HOUR }, { ...at(HOUR + 90), leaderboardId: 2 }]);
        expect(await store.state(BOARD)).toMatchObject({ observedAt: HOUR + 60 });
        expect(await store.states([unknown])).toEqual([]);
        expect(await store.state({ ...BOARD, leaderboardId: 2 })).toMatchObject({ observedAt: HOUR + 90 });
      });
    });

    describe('a board that is gone', () => {
      const removedBoard = { entries: [], gone: true, version: 2, changedAt: HOUR + 60 };
      beforeEach(async () => {
        await put(store, { entries: ab });
        await put(store, removedBoard);
      });

      it('returns no entries, positions or search results for a board that is gone', async () => {
        expect(await store.state(BOARD)).toBeUndefined();
        expect(await store.entries(BOARD)).toEqual([]);
        expect(await store.positionOf(BOARD, 'a')).toBeUndefined();
        expect(await store.ofPlayers({ keys: ['a'] })).toEqual([]);
        expect(await store.nearTime({ timeMs: 1000, tolerance: 10, limit: 9 })).toEqual([]);
        expect(await store.atRanks({ pairs: [{ key: 'a', rank: 1 }] })).toEqual([]);
      });

      it('keeps state and last content of a board that disappeared on the day of its last change', async () => {
        const state = [{ gone: true, version: 2, name: 'Old Pier', changedAt: HOUR + 60 }];
        expect(await store.states([BOARD])).toMatchObject(state);
        expect(await store.boardsOf(TITLE)).toMatchObject(state);
        expect(await store.versionAt(BOARD, '2027-01-15')).toBe('gone');
        expect(await store.lastContent(BOARD)).toEqual({ name: 'Old Pier', isTime: true, entries: ab });
        await commitNext(store, { seen: [{ ...BOARD, pass: HOUR + 7200, seenAt: HOUR + 7260 }] });
        expect(await store.lastContent(BOARD)).toMatchObject({ entries: ab });
      });

      it('returns the new entries of a board that reappears', async () => {
        await put(store, { entries: ab.slice(1), version: 3, changedAt: HOUR + 120 });
        expect(await store.entries(BOARD)).toEqual(ab.slice(1));
        expect(await store.versionAt(BOARD, '2027-01-15')).toMatchObject({ entries: ab.slice(1) });
        expect(await store.boardsOf(TITLE)).toMatchObject([{ version: 3 }]);
      });
    });

    it('keeps the last content of an empty board that is gone', async () => {
      await put(store, {});
      await put(store, { gone: true, version: 2 });
      expect(await store.lastContent(BOARD)).toEqual({ name: 'Old Pier', isTime: true, entries: [] });
    });

    it('has no last content for a board that was first seen as gone', async () => {
      await put(store, { name: '', gone: true });
      expect(await store.lastContent(BOARD)).toBeUndefined();
      expect(await store.states([BOARD])).toMatchObject([{ gone: true }]);
    });

    it('returns the last version of a board on or before a day', async () => {
      const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;
      const [first, second] = [times(['A', 9]), times(['A', 8])];
      await put(store, { entries: first, changedAt: day('2026-03-01') });
      await put(store, { entries: second, changedAt: day('2026-03-02') - 1, name: 'Renamed' });
      await put(store, { gone: true, version: 2, changedAt: day('2026-03-04') });
      await put(store, { entries: first, changedAt: day('2026-03-06') });
      expect(await store.versionAt(BOARD, '2026-02-28')).toBeUndefined();
      for (const date of ['2026-03-01', '2026-03-03']) {
        expect(await store.versionAt(BOARD, date)).toEqual({ name: 'Renamed', isTime: true, entries: second });
      }
      for (const date of ['2026-03-04', '2026-03-05']) expect(await store.versionAt(BOARD, date)).toBe('gone');
      expect(await store.versionAt(BOARD, '2026-03-06')).toMatchObject({ entries: first });
      expect(await store.versionAt({ ...BOARD, leaderboardId: 2 }, '2026-03-06')).toBeUndefined();

      const versions = (since: string, limit: number) => Array.fromAsync(store.versions(BOARD, { since, limit }));
      const renamed = { name: 'Renamed', isTime: true, entries: second };
      const all = [
        { day: '2026-03-06', content: { ...renamed, name: 'Old Pier', entries: first } },
        { day: '2026-03-04', content: null },
        { day: '2026-03-01', content: renamed },
      ];
      expect(await versions('2026-03-01', 9)).toEqual(all);
      expect(await versions('2026-03-01', 2)).toEqual(all.slice(0, 2));
      expect(await versions('2026-03-02', 9)).toEqual(all.slice(0, 2));
      expect(await versions('2026-03-07', 9)).toEqual([]);
    });

    it('rejects a commit with a stale revision and writes nothing', async () => {
      const stale = await nextCommit(store, {
        boards: [write({ entries: ab })],
        changes: [change(1)],
        facts: [fact('stale')],
      });
      await put(store, { leaderboardId: 2 });
      const log = await store.changeLog();
      expect(await store.commit(stale)).toBe(false);
      expect(await store.states([BOARD])).toEqual([]);
      expect(await store.countChanges({})).toBe(0);
      expect(await store.changes({}, { offset: 0, limit: 9 })).toEqual([]);
      expect(await catalog.outbox.backlog()).toBe(0);
      expect(await store.changeLog()).toEqual(log);
      expect(log).toMatchObject({ lastId: 0, lastChangedAt: 0 });
    });

    it('accepts exactly one of several concurrent commits', async () => {
      const commits = await Promise.all(
        [1, 2, 3].map((id) => nextCommit(store, { boards: [write({ leaderboardId: id })], facts: [fact(`${id}`)] })),
      );
      const results = await Promise.all(commits.map((one) => store.commit(one)));
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await store.boardsOf(TITLE)).toHaveLength(1);
      expect(await catalog.outbox.backlog()).toBe(1);
    });

    it('rolls back the whole commit when one write fails', async () => {
      await commitNext(store, { boards: [write({ entries: ab })], changes: [change(1)], facts: [fact('1')] });
      const log = await store.changeLog();
      const half = await nextCommit(store, {
        boards: [write({ entries: times(['C', 1]), version: 2 })],
        changes: [change(2)],
        facts: [fact('2'), unserializableFact],
      });
      await expect(store.commit(half)).rejects.toThrow();
      expect(await store.entries(BOARD)).toEqual(ab);
      expect(await store.state(BOARD)).toMatchObject({ version: 1 });
      expect(await store.countChanges({})).toBe(1);
      expect(await store.changes({}, { offset: 0, limit: 9 })).toHaveLength(1);
      expect(await store.changeLog()).toEqual(log);
      expect(log).toMatchObject({ lastId: 1 });
      expect(await catalog.outbox.backlog()).toBe(1);
    });
  });
}
