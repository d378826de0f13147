import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { BOARD, change, HOUR, nextCommit, put, times, write } from './stored-boards.ts';
import { commit, fact, record } from './title-store.contract.ts';

/** A catalog whose commits can be cut off. */
export interface Cuttable {
  /** Gives an empty catalog. */
  readonly open: () => Promise<CatalogStore>;
  /** Opens the same one again. */
  readonly reopen: () => Promise<CatalogStore>;
  /** Makes the statement after so many fail, until the function that it gives is called. */
  readonly cutAfter: (statements: number) => () => void;
  /** Whether a commit of boards that was durable may be finished after the catalog is opened again. Default: no. */
  readonly mayBeFinished?: boolean;
}

export const before = times(['A', 1000], ['B', 2000], ['C', 3000]);
export const after = times(['D', 900], ['A', 1000], ['C', 2999]);

/** What every catalog promises of commits that are cut off at any step: nothing is changed, or all of it. */
export function describeCutCommits(adapter: string, cuttable: Cuttable): void {
  describe(`a commit to ${adapter} that is cut off at any step`, () => {
    it('of boards is there as a whole or not at all', async () => {
      await expectNothingByHalves(cuttable, async (catalog) => {
        const changed = write({ entries: after, version: 2, changedAt: HOUR + 86_400 });
        const gone = write({ leaderboardId: 2, gone: true, version: 2 });
        const next = await nextCommit(catalog.boards, {
          boards: [changed, gone, write({ leaderboardId: 4, entries: after })],
          seen: [{ ...BOARD, leaderboardId: 3, pass: HOUR + 3600, seenAt: HOUR + 3660 }],
          changes: [change(1), change(2, { type: 'new' })],
          facts: [fact('1'), fact('2')],
        });
        return catalog.boards.commit(next);
      });
    });

    it('of titles leaves everything as it was', async () => {
      await expectNothingByHalves(cuttable, (catalog) =>
        catalog.titles.commit(commit({ revision: 1, records: [record('00000001', {})], facts: [fact('1')] })),
      );
    });
  });
}

/**
 * Makes the commit fail at its first statement, at its second and so on, each time over an empty catalog.
 *
 * @returns for how many of these steps it was there after all, and all of it
 */
export async function expectNothingByHalves(
  { open, reopen, cutAfter, mayBeFinished = false }: Cuttable,
  commitTo: (catalog: CatalogStore) => Promise<boolean>,
): Promise<number> {
  let steps = 0;
  const finished: unknown[] = [];
  for (let done = false; !done; steps += 1) {
    const catalog = await open();
    for (const leaderboardId of [1, 2, 3]) await put(catalog.boards, { leaderboardId, entries: before });
    const earlier = await everythingIn(catalog);

    const heal = cutAfter(steps);
    done = await commitTo(catalog).catch(() => false);
    heal();
    const restarted = await reopen();
    const later = await everythingIn(restarted);
    if (done) {
      expect(later).not.toEqual(earlier);
      for (const one of finished) expect(one).toEqual(later);
    } else if (mayBeFinished && later.log.revision !== earlier.log.revision) finished.push(later);
    else expect(later).toEqual(earlier);
    await restarted.close();
    await catalog.close();
    expect(steps).toBeLessThan(100);
  }
  expect(steps).toBeGreaterThan(2);
  return finished.length;
}

async function everythingIn({ titles, boards, outbox }: CatalogStore) {
  const keys = [1, 2, 3, 4].map((leaderboardId) => ({ ...BOARD, leaderboardId }));
  return {
    // First: what searches find may lag until facts are asked for.
    facts: await outbox.pending(100),
    titles: await titles.read(),
    log: await boards.changeLog(),
    states: await boards.states(keys),
    entries: await Promise.all(keys.map((key) => boards.entries(key))),
    found: await boards.ofPlayers({ keys: ['a', 'b', 'c', 'd'] }),
    versions: await Promise.all(keys.map((key) => boards.versionAt(key, '9999-12-31'))),
    lastContents: await Promise.all(keys.map((key) => boards.lastContent(key))),
    changes: await boards.changes({}, { offset: 0, limit: 100 }),
    counts: await Promise.all([boards.countChanges({}), boards.countChanges({ type: 'new' })]),
  };
}
