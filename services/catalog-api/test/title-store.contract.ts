import type { GameMetadata } from '@lobbystats/contracts';
import type { TitleRecord } from '../src/domain/title-record.ts';
import type { TitleCommit, TitleFact, TitleStore } from '../src/domain/title-store.ts';

/** What every {@link TitleStore} promises. `open` gives an empty one each time. */
export function describeTitleStore(adapter: string, open: () => Promise<TitleStore>): void {
  describe(`${adapter} as a title store`, () => {
    let store: TitleStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    it('begins at revision 0 with no titles and nothing to publish', async () => {
      expect(await store.read()).toEqual({ revision: 0, records: [] });
      expect(await store.revision()).toBe(0);
      expect(await store.pendingFacts(10)).toEqual([]);
      expect(await store.backlog()).toBe(0);
      await expect(store.check()).resolves.toBeUndefined();
    });

    it('gives back what was committed, exactly', async () => {
      const records = [
        record('00000001', { name: '__proto__', title: `'"; DROP TABLE title; --` }),
        record('00000002', { name: 'NUL \0 and 🏁 and %_\\', title: '' }),
        { ...record('00000003', {}), home: null },
        { ...record('00000004', {}), page: null, changedAt: 0 },
      ];
      const facts = [fact(7, { past: true, titles: [game('00000001'), game('00000002')] })];
      expect(await store.commit(commit({ revision: 7, records, facts }))).toBe(true);
      expect(sorted(await store.read())).toEqual({ revision: 7, records });
      expect(await store.revision()).toBe(7);
      expect(await store.pendingFacts(10)).toEqual(facts);
    });

    it('replaces the record of a title and leaves the others', async () => {
      const other = record('00000002', {});
      await store.commit(commit({ revision: 1, records: [record('00000001', { name: 'Before' }), other] }));
      const after = { ...record('00000001', { name: 'After' }), page: null };
      await store.commit(commit({ expectedRevision: 1, revision: 2, records: [after] }));
      expect(sorted(await store.read())).toEqual({ revision: 2, records: [after, other] });
    });

    it('commits nothing at all over another’s commit', async () => {
      const kept = record('00000001', { name: 'Kept' });
      await store.commit(commit({ revision: 5, records: [kept], facts: [fact(5)] }));
      const stale = commit({ revision: 6, records: [record('00000001', { name: 'Stale' })], facts: [fact(6)] });
      expect(await store.commit(stale)).toBe(false);
      expect(await store.read()).toEqual({ revision: 5, records: [kept] });
      expect((await store.pendingFacts(10)).map(({ revision }) => revision)).toEqual([5]);
    });

    it('lets one of several commits at once through', async () => {
      const commits = [1, 2, 3, 4].map((revision) => commit({ revision, facts: [fact(revision)] }));
      const results = await Promise.all(commits.map((change) => store.commit(change)));
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await store.backlog()).toBe(1);
      expect(await store.revision()).toBe(results.indexOf(true) + 1);
    });

    it('commits nothing at all when a part of the change fails', async () => {
      await store.commit(commit({ revision: 1, facts: [fact(1)] }));
      const half = commit({
        expectedRevision: 1,
        revision: 2,
        records: [record('00000001', {})],
        facts: [fact(2), fact(1)],
      });
      await expect(store.commit(half)).rejects.toThrow();
      expect(await store.read()).toEqual({ revision: 1, records: [] });
      expect(await store.backlog()).toBe(1);
    });

    it('keeps facts in the order of their revisions until they are removed', async () => {
      await store.commit(commit({ revision: 9, facts: [fact(9), fact(8)] }));
      await store.commit(
        commit({ expectedRevision: 9, revision: 1_800_000_000_000, facts: [fact(1_800_000_000_000)] }),
      );
      expect((await store.pendingFacts(2)).map(({ revision }) => revision)).toEqual([8, 9]);
      expect(await store.backlog()).toBe(3);
      await store.removeFact(8);
      await store.removeFact(8);
      expect((await store.pendingFacts(10)).map(({ revision }) => revision)).toEqual([9, 1_800_000_000_000]);
    });
  });
}

/** A commit to an empty store that changes nothing, but for what is given. */
export function commit(change: Partial<TitleCommit> & Pick<TitleCommit, 'revision'>): TitleCommit {
  return { expectedRevision: 0, records: [], facts: [], ...change };
}

/** A record with both parts. */
export function record(titleId: string, { name = 'Harbor Racing', title = 'Harbor Racing: Full Tilt' }): TitleRecord {
  return {
    titleId,
    home: { seenAt: 1_700_000_000, name, image: 'http://127.0.0.1/icon.png', publisher: 'Pier 9' },
    page: { seenAt: 1_700_000_300, title, publisher: '', releaseDate: '2001-11-15' },
    changedAt: 1_700_000_301,
  };
}

function fact(revision: number, changes: Partial<TitleFact> = {}): TitleFact {
  return { revision, occurredAt: 1_700_000_000, past: false, titles: [game('00000001')], ...changes };
}

function game(titleId: string): GameMetadata {
  return { titleId, name: '__proto__ \0 🏁', title: '"', image: '', publisher: '', releaseDate: '' };
}

function sorted({ revision, records }: { revision: number; records: TitleRecord[] }) {
  return { revision, records: records.toSorted((a, b) => (a.titleId < b.titleId ? -1 : 1)) };
}
