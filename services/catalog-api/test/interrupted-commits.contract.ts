import { hasCode } from '@lobbystats/contracts/errors';
import { untilAnswered } from '@lobbystats/test-kit';
import type { CatalogStore } from '../src/open-store.ts';
import { BOARD, change, HOUR, nextCommit, put, times, write } from './stored-boards.ts';
import { commit, fact, record } from './title-store.contract.ts';

/** A catalog whose commits can be interrupted. */
export interface InterruptibleCatalog {
  /** Gives an empty catalog. */
  readonly open: () => Promise<CatalogStore>;
  /** Opens the same one again. */
  readonly reopen: () => Promise<CatalogStore>;
  /** Makes the statement after so many fail, until the returned function is called. */
  readonly failAfter: (statements: number) => () => void;
  /** Whether a durable commit of boards may be completed after the catalog is opened again. Default: no. */
  readonly mayCompleteLater?: boolean;
}

export const before = times(['A', 1000], ['B', 2000], ['C', 3000]);
export const after = times(['D', 900], ['A', 1000], ['C', 2999]);

/** Contract tests of commits that fail at any statement: they change everything or nothing. */
export function describeInterruptedCommits(adapter: string, cuttable: InterruptibleCatalog): void {
  describe(`a commit to ${adapter} interrupted at any statement`, () => {
    it('a commit of boards is stored completely or not at all', async () => {
      await expectAtomicCommit(cuttable, async (catalog) => {
        const changed = write({ entries: after, version: 2, changedAt: HOUR + 86_400 });
        const removedBoard = write({ leaderboardId: 2, gone: true, version: 2 });
        const next = await nextCommit(catalog.boards, {
          boards: [changed, removedBoard, write({ leaderboardId: 4, entries: after })],
          seen: [{ ...BOARD, leaderboardId: 3, pass: HOUR + 3600, seenAt: HOUR + 3660 }],
          changes: [change(1), change(2, { type: 'new' })],
          facts: [fact('1'), fact('2')],
        });
        return catalog.boards.commit(next);
      });
    });

    it('a failed commit of titles changes nothing', async () => {
      await expectAtomicCommit(cuttable, (catalog) =>
        catalog.titles.commit(commit({ revision: 1, records: [record('00000001', {})], facts: [fact('1')] })),
      );
    });
  });
}

/**
 * Makes the commit fail at its first statement, at its second and so on, each time over an empty catalog.
 *
 * @returns the number of interrupted commits that were completed later
 */
export async function expectAtomicCommit(
  { open, reopen, failAfter, mayCompleteLater = false }: InterruptibleCatalog,
  commitTo: (catalog: CatalogStore) => Promise<boolean>,
): Promise<number> {
  let steps = 0;
  const finished: unknown[] = [];
  for (let done = false; !done; steps += 1) {
    const interrupted = await untilAnswered(() => interruptAt(steps, { open, reopen, failAfter }, commitTo));
    const { earlier, later } = interrupted;
    done = interrupted.done;
    if (done) {
      expect(later).not.toEqual(earlier);
      for (const one of finished) expect(one).toEqual(later);
    } else if (mayCompleteLater && later.log.revision !== earlier.log.revision) finished.push(later);
    else expect(later).toEqual(earlier);
    expect(steps).toBeLessThan(100);
  }
  expect(steps).toBeGreaterThan(2);
  return finished.length;
}

/** The state of an empty catalog before and after a commit whose statement after so many fails. */
async function interruptAt(
  statements: number,
  { open, reopen, failAfter }: InterruptibleCatalog,
  commitTo: (catalog: CatalogStore) => Promise<boolean>,
) {
  const catalog = await open();
  try {
    for (const leaderboardId of [1, 2, 3]) await put(catalog.boards, { leaderboardId, entries: before });
    const earlier = await readState(catalog);
    const heal = failAfter(statements);
    const notDone = (error: unknown) => {
      if (hasCode(error, 'unavailable')) throw error;
      return false;
    };
    const done = await commitTo(catalog).catch(notDone).finally(heal);
    const restarted = await reopen();
    try {
      return { done, earlier, later: await readState(restarted) };
    } finally {
      await restarted.close();
    }
  } finally {
    await catalog.close();
  }
}

async function readState({ titles, boards, outbox }: CatalogStore) {
  const keys = [1, 2, 3, 4].map((leaderboardId) => ({ ...BOARD, leaderboardId }));
  return {
    // First: searches may lag until facts are requested.
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
