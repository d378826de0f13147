import type { TitleRecord, TitleCommit, TitleQueries } from '../src/titles/titles.queries.ts';
import type { CatalogStore } from '../src/open-store.ts';
import type { Fact, Outbox } from '@lobbystats/contracts';

/** Contract tests of {@link TitleQueries}. `open` returns an empty catalog each time. */
export function describeTitleStore(adapter: string, open: () => Promise<CatalogStore>): void {
  describe(`${adapter} as a title store`, () => {
    let catalog: CatalogStore;
    let store: TitleQueries;
    let outbox: Outbox;
    beforeEach(async () => {
      catalog = await open();
      ({ titles: store, outbox } = catalog);
    });
    afterEach(async () => {
      await catalog.close();
    });

    it('starts at revision 0 without titles or pending facts', async () => {
      expect(await store.read()).toEqual({ revision: 0, records: [] });
      expect(await store.revision()).toBe(0);
      expect(await outbox.backlog()).toBe(0);
      await expect(catalog.check()).resolves.toBeUndefined();
    });

    it('reads back records exactly as committed', async () => {
      const records = [
        record('00000001', { name: '__proto__', title: `'"; DROP TABLE title; --` }),
        record('00000002', { name: 'NUL \0 and 🏁 and %_\\', title: '' }),
        { ...record('00000003', {}), home: null },
        { ...record('00000004', {}), page: null, changedAt: 0 },
      ];
      const facts = [fact('7', { past: true })];
      expect(await store.commit(commit({ revision: 7, records, facts }))).toBe(true);
      expect(sorted(await store.read())).toEqual({ revision: 7, records });
      expect(await store.revision()).toBe(7);
      expect(await outbox.pending(10)).toEqual([{ place: expect.any(Number), ...facts[0] }]);
    });

    it('replaces the record of a title and leaves the others', async () => {
      const other = record('00000002', {});
      await store.commit(commit({ revision: 1, records: [record('00000001', { name: 'Before' }), other] }));
      const after = { ...record('00000001', { name: 'After' }), page: null };
      await store.commit(commit({ expectedRevision: 1, revision: 2, records: [after] }));
      expect(sorted(await store.read())).toEqual({ revision: 2, records: [after, other] });
    });

    it('rejects a commit with a stale revision and writes nothing', async () => {
      const storedRecord = record('00000001', { name: 'Kept' });
      await store.commit(commit({ revision: 5, records: [storedRecord], facts: [fact('5')] }));
      const stale = commit({ revision: 6, records: [record('00000001', { name: 'Stale' })], facts: [fact('6')] });
      expect(await store.commit(stale)).toBe(false);
      expect(await store.read()).toEqual({ revision: 5, records: [storedRecord] });
      expect((await outbox.pending(10)).map(({ id }) => id)).toEqual(['5']);
    });

    it('accepts exactly one of several concurrent commits', async () => {
      const commits = [1, 2, 3, 4].map((revision) => commit({ revision, facts: [fact(String(revision))] }));
      const results = await Promise.all(commits.map((change) => store.commit(change)));
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await outbox.backlog()).toBe(1);
      expect(await store.revision()).toBe(results.indexOf(true) + 1);
    });

    it('rolls back the whole commit when one write fails', async () => {
      await store.commit(commit({ revision: 1, facts: [fact('1')] }));
      const half = commit({
        expectedRevision: 1,
        revision: 2,
        records: [record('00000001', {})],
        facts: [fact('2'), unserializableFact],
      });
      await expect(store.commit(half)).rejects.toThrow();
      expect(await store.read()).toEqual({ revision: 1, records: [] });
      expect(await outbox.backlog()).toBe(1);
    });
  });
}

/** A commit to an empty store with the given changes only. */
export function commit(change: Partial<TitleCommit> & Pick<TitleCommit, 'revision'>): TitleCommit {
  return { expectedRevision: 0, records: [], facts: [], ...change };
}

/** A record with both parts. */
export function record(titleId: string, { name = 'Harbor Racing', title = 'Harbor Racing: Full Tilt' }): TitleRecord {
  return {
    titleId,
    home: {
      seenAt: 1_700_000_000,
      name,
      image: 'http://127.0.0.1/icon.png',
      publisher: 'Pier 9',
      productCode: 'PR-009',
    },
    page: { seenAt: 1_700_000_300, title, publisher: '', releaseDate: '2001-11-15' },
    changedAt: 1_700_000_301,
  };
}

const circle: { within?: unknown } = {};
circle.within = circle;
/** A fact that no store can write. */
export const unserializableFact: Fact = {
  type: 'title.stored',
  id: 'unwritable',
  occurredAt: 0,
  past: false,
  data: circle,
};

/** A fact with this ID. */
export function fact(id: string, changes: Partial<Fact> = {}): Fact {
  const titles = [{ titleId: '00000001', name: '__proto__ \0 🏁', title: '"' }];
  return {
    type: 'title.stored',
    id,
    occurredAt: 1_700_000_000,
    past: false,
    data: { revision: 1, titles },
    ...changes,
  };
}

function sorted({ revision, records }: { revision: number; records: TitleRecord[] }) {
  return { revision, records: records.toSorted((a, b) => (a.titleId < b.titleId ? -1 : 1)) };
}
