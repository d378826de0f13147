import { changeTypes, wordKeys } from '@lobbystats/contracts';
import type { CatalogStore } from '../src/open-store.ts';
import { removeTitles } from '../src/withdrawals/remove-titles.ts';
import { TitleCatalog } from '../src/titles/title-catalog.ts';
import { boardCatalogWith, observationAt } from './observed-boards.ts';
import { BOARD, HOUR } from './stored-boards.ts';

const KEPT = BOARD.titleId;
const REMOVED = 'bad00001';
const AT = HOUR + 86_400;
const clock = () => (HOUR + 2 * 86_400) * 1000;
const entry = (rank: number, name: string) => ({ rank, name, rating: `0:0${rank}.000`, timeMs: rank * 1000 });

/** Contract of the removal of titles with what they have. `open` returns an empty catalog each time. */
export function describeTitleRemoval(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`removal of titles from ${adapter}`, () => {
    let store: CatalogStore;
    let titles: TitleCatalog;
    const remove = (...titleIds: string[]) =>
      removeTitles(titleIds, AT, { titles: store.titles, contents: store.contents, clock, origin: 'simulated' });
    beforeEach(async () => {
      store = await open();
      titles = new TitleCatalog({ store: store.titles, clock, origin: 'simulated' });
      const home = (name: string) => ({ name, image: '', publisher: '', productCode: '' });
      const seen = [
        { titleId: KEPT, home: home('Harbor') },
        { titleId: REMOVED, home: home('Harbor') },
      ];
      await titles.observe([{ seenAt: HOUR, titles: seen }], false);
      const boards = boardCatalogWith(store.boards, store);
      for (const titleId of [KEPT, REMOVED]) {
        const at = (hour: number, ...names: string[]) => ({
          ...observationAt(
            hour,
            names.map((name, index) => entry(index + 1, name)),
          ),
          titleId,
        });
        await boards.observe([at(0, 'Ember', `Only ${titleId}`)], false);
        await boards.observe([at(1, 'Wren', 'Ember', `Only ${titleId}`)], false);
        await boards.observe([at(2, 'Ember')], false);
      }
      await store.outbox.pending(100);
    });
    afterEach(() => store.close());

    it('leaves nothing of them, and everything of others', async () => {
      const before = await store.contents.count(KEPT);
      expect(await store.contents.count(REMOVED)).toEqual(before);
      expect(before.changes).toBeGreaterThan(0);
      const total = await store.boards.countChanges({});
      await remove(REMOVED);
      expect(await store.contents.count(REMOVED)).toEqual({ boards: 0, changes: 0 });
      expect(await store.contents.count(KEPT)).toEqual(before);
      expect(await store.boards.countChanges({})).toBe(total - before.changes);
      const changes = await store.boards.changes({}, { offset: 0, limit: 100 });
      expect(new Set(changes.map(({ titleId }) => titleId))).toEqual(new Set([KEPT]));
      expect(await store.boards.changedTitles()).toEqual([KEPT]);
      const entries = await store.boards.ofPlayers({ keys: ['ember'] });
      expect(entries.map(({ titleId }) => titleId)).toEqual([KEPT]);
      const [key = ''] = wordKeys('Old Pier');
      const boards = (await store.boards.namesWithWord(key, 10)).map(({ board }) => board?.titleId);
      expect(boards).toEqual([KEPT]);
      expect((await titles.view()).get(REMOVED)).toBeUndefined();
    });

    it('takes changes of a range of time from the log, and from its counters', async () => {
      const all = () => store.boards.changes({}, { offset: 0, limit: 100 });
      const before = await all();
      // Later than the first hour, since times of changes don't decrease.
      const range = { fromInclusive: HOUR + 2 * 3600, toExclusive: HOUR + 3 * 3600 };
      const early = before.filter(({ changedAt }) => changedAt < range.fromInclusive);
      expect(early.length).toBeGreaterThan(0);
      expect(await store.contents.countChanges(range)).toBe(before.length - early.length);
      expect(await store.contents.removeChanges(range)).toBe(before.length - early.length);
      expect(await store.contents.removeChanges(range)).toBe(0);
      expect(await all()).toEqual(early);
      for (const type of changeTypes) {
        expect(await store.boards.countChanges({ type })).toBe(early.filter((change) => change.type === type).length);
      }
    });

    it('is published: the titles are retired, and others may get their name', async () => {
      const facts = async () => (await store.outbox.pending(100)).filter(({ type }) => type === 'title.stored');
      const before = (await facts()).length;
      await remove(KEPT);
      const [fact] = (await facts()).slice(before);
      expect(fact?.data).toMatchObject({ titles: [{ titleId: REMOVED, name: 'Harbor' }], retired: [KEPT] });
      const view = await titles.view();
      expect([view.get(REMOVED)?.title.name, view.get(KEPT)]).toEqual(['Harbor', undefined]);
    });

    it('has no effect when it is repeated; no late copy returns, and a title that is seen later does', async () => {
      const observe = async (seenAt: number) => {
        const home = { name: 'Harbor', image: '', publisher: '', productCode: '' };
        await titles.observe([{ seenAt, titles: [{ titleId: REMOVED, home }] }], false);
        return (await titles.view()).get(REMOVED)?.title.name;
      };
      await remove(REMOVED);
      await remove(REMOVED, 'ffffffff');
      const { revision } = await store.titles.read();
      await remove(REMOVED, 'ffffffff');
      expect(await observe(AT)).toBeUndefined();
      expect([await titles.isWithdrawn(REMOVED, AT), await titles.isWithdrawn(REMOVED, AT + 1)]).toEqual([true, false]);
      expect(await store.titles.revision()).toBe(revision);
      expect(await observe(AT + 60)).toBe('Harbor (bad00001)');
      const boards = boardCatalogWith(store.boards, store);
      await boards.observe([{ ...observationAt(30, [entry(1, 'Ember')]), titleId: REMOVED }], false);
      await remove(REMOVED);
      expect(await store.contents.count(REMOVED)).toEqual({ boards: 1, changes: 0 });
    });
  });
}
