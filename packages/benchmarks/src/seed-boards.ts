import type { EpochSeconds } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import type { World } from '@lobbystats/simulator';
import type { BoardStore, BoardWrite } from '@lobbystats/catalog-api/board-store';
import type { BoardObservation } from '@lobbystats/catalog-api/board';
import { observedBoard } from './board-world.ts';

const ATTEMPTS = 20;
/** Approximate rows per commit. */
const ROWS = 6000;
/** One of this many entries becomes a sample. */
const SAMPLE = 997;

/** Stored entries to search for. */
export interface Samples {
  readonly entries: number;
  /** Different numbers of entries of the leaderboards. */
  readonly sizes: number;
  /** Times of entries of time boards, in milliseconds. */
  readonly times: readonly number[];
  readonly players: readonly { readonly playerName: string; readonly rank: number }[];
}

export const noSamples: Samples = { entries: 0, sizes: 0, times: [], players: [] };

/** Commits all boards of a pass to a store. */
export async function seedBoards(store: BoardStore, world: World, pass: EpochSeconds): Promise<Samples> {
  const times: number[] = [];
  const players: { playerName: string; rank: number }[] = [];
  const sizes = new Set<number>();
  let [entries, waiting]: [number, BoardWrite[]] = [0, []];
  let rows = 0;
  const commit = async () => {
    const log = await store.changeLog();
    const next = { ...log, revision: log.revision + 1 };
    const boards = waiting;
    await retryUnavailable(() =>
      store.commit({ expectedRevision: log.revision, log: next, boards, changes: [], facts: [] }),
    );
    [waiting, rows] = [[], 0];
  };
  for (const key of world.boardKeysAt(pass)) {
    const write = firstWrite(observedBoard(world, pass, key));
    sizes.add(write.entries.length);
    for (const { name, rank, timeMs } of write.entries) {
      entries += 1;
      if (entries % SAMPLE !== 0) continue;
      players.push({ playerName: name, rank });
      if (write.state.isTime) times.push(timeMs);
    }
    waiting.push(write);
    rows += write.entries.length;
    if (rows >= ROWS) await commit();
  }
  await commit();
  return { entries, sizes: sizes.size, times, players };
}

/** Retries on a busy server. A commit is idempotent. */
async function retryUnavailable(commit: () => Promise<boolean>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await commit();
      return;
    } catch (error) {
      if (!hasCode(error, 'unavailable') || attempt === ATTEMPTS) throw error;
    }
  }
}

function firstWrite({ titleId, leaderboardId, name, pass, board }: BoardObservation): BoardWrite {
  const { isTime, entries } = board ?? { isTime: true, entries: [] };
  const about = { entryCount: entries.length, gone: false, version: 1, pass, changedAt: pass, observedAt: pass };
  return { state: { titleId, leaderboardId, name, isTime, ...about }, entries };
}
