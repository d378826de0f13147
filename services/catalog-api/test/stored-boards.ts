import { formatRaceTime } from '@lobbystats/contracts';
import type { BoardKey, BoardState, Entry } from '../src/boards/board.ts';
import type { BoardCommit, BoardWrite } from '../src/ingest/commits.queries.ts';
import type { StoredChange } from '../src/changes/stored-change.ts';
import type { CatalogStore } from '../src/open-store.ts';

/** The questions that tests ask about boards. */
export type BoardStore = CatalogStore['boards'];

export const TITLE = '4d530064';
export const HOUR = 1_800_000_000;
export const BOARD: BoardKey = { titleId: TITLE, leaderboardId: 1 };

/** A board as a commit writes it. */
export interface BoardDraft extends Partial<BoardState> {
  readonly entries?: readonly Entry[];
}

/** A write of a board; {@link BOARD} by default. */
export function write({ entries = [], ...state }: BoardDraft): BoardWrite {
  return {
    state: {
      ...BOARD,
      name: 'Old Pier',
      isTime: true,
      entryCount: entries.length,
      gone: false,
      version: 1,
      pass: HOUR,
      changedAt: HOUR,
      observedAt: HOUR,
      ...state,
    },
    entries,
  };
}

/** Commits the given boards on top of the current log. */
export async function put(store: BoardStore, ...drafts: readonly BoardDraft[]): Promise<void> {
  await commitNext(store, { boards: drafts.map(write) });
}

/** Commits a change at the next revision. */
export async function commitNext(store: BoardStore, change: Partial<BoardCommit>): Promise<void> {
  if (!(await store.commit(await nextCommit(store, change)))) throw new Error('Another commit was faster');
}

/** A commit on top of the current log, with the log after its changes. */
export async function nextCommit(store: BoardStore, change: Partial<BoardCommit>): Promise<BoardCommit> {
  const { revision, lastId, lastChangedAt } = await store.changeLog();
  const last = change.changes?.at(-1);
  const log = { revision: revision + 1, lastId: last?.id ?? lastId, lastChangedAt: last?.changedAt ?? lastChangedAt };
  return { expectedRevision: revision, log, boards: [], changes: [], facts: [], ...change };
}

/** Entries of a time board, ranked by position. */
export function times(...rows: readonly (readonly [name: string, timeMs: number])[]): Entry[] {
  return rows.map(([name, timeMs], index) => ({ rank: index + 1, name, rating: formatRaceTime(timeMs), timeMs }));
}

/** Entries of a score board, ranked by position. */
export function scores(...rows: readonly (readonly [name: string, rating: string])[]): Entry[] {
  return rows.map(([name, rating], index) => ({ rank: index + 1, name, rating, timeMs: 0 }));
}

/** A change; by default an updated time. */
export function change(id: number, changes: Partial<StoredChange> = {}): StoredChange {
  return {
    ...BOARD,
    id,
    type: 'updated',
    playerName: 'Ember Fox',
    isTime: true,
    oldRank: 2,
    newRank: 1,
    oldRating: '0:49.900',
    newRating: '0:49.300',
    oldTimeMs: 49_900,
    newTimeMs: 49_300,
    changedAt: HOUR + id,
    beaten: null,
    ...changes,
  };
}
