import type { CatalogStore } from '../src/open-store.ts';
import { commit, fact } from './title-store.contract.ts';
import type { Outbox } from '@lobbystats/contracts';

/** Contract tests of {@link Outbox}. `open` returns an empty catalog each time. */
export function describeOutbox(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`${adapter} as an outbox`, () => {
    let catalog: CatalogStore;
    let outbox: Outbox;
    beforeEach(async () => {
      catalog = await open();
      ({ outbox } = catalog);
    });
    afterEach(async () => {
      await catalog.close();
    });

    const ids = async (limit = 100) => (await outbox.pending(limit)).map(({ id }) => id);
    const add = async (...added: string[]) => {
      const expectedRevision = await catalog.titles.revision();
      const facts = added.map((id) => fact(id));
      expect(await catalog.titles.commit(commit({ expectedRevision, revision: expectedRevision + 1, facts }))).toBe(
        true,
      );
    };

    it('the outbox is empty before the first commit', async () => {
      expect(await outbox.pending(10)).toEqual([]);
      expect(await outbox.backlog()).toBe(0);
    });

    it('returns facts exactly as committed, in commit order', async () => {
      await add('b', 'a');
      await add('__proto__', 'NUL \0 and 🏁');
      expect(await ids()).toEqual(['b', 'a', '__proto__', 'NUL \0 and 🏁']);
      expect(await ids(3)).toEqual(['b', 'a', '__proto__']);
      expect(await outbox.backlog()).toBe(4);
      expect(await outbox.pending(1)).toEqual([{ place: expect.any(Number), ...fact('b') }]);
    });

    it('removes only the given facts', async () => {
      await add('a', 'b', 'c');
      const positions = (await outbox.pending(2)).map(({ place }) => place);
      await outbox.remove(positions);
      await outbox.remove(positions);
      await outbox.remove([]);
      expect(await ids()).toEqual(['c']);
      expect(await outbox.backlog()).toBe(1);
    });

    it('appends new facts after all earlier ones, even if those were removed', async () => {
      await add('a', 'b');
      const before = (await outbox.pending(2)).map(({ place }) => place);
      await outbox.remove(before);
      await add('c');
      const [after] = await outbox.pending(1);
      expect(after?.place).toBeGreaterThan(Math.max(...before));
    });

    it('keeps the facts of each concurrent commit contiguous', async () => {
      const one = catalog.titles.commit(commit({ revision: 1, facts: [fact('a1'), fact('a2')] }));
      const other = catalog.boards.commit({
        expectedRevision: 0,
        log: { revision: 1, lastId: 0, lastChangedAt: 0 },
        boards: [],
        changes: [],
        facts: [fact('b1'), fact('b2')],
      });
      expect(await Promise.all([one, other])).toEqual([true, true]);
      expect(['a1 a2 b1 b2', 'b1 b2 a1 a2']).toContain((await ids()).join(' '));
    });
  });
}
