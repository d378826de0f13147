import type { EpochSeconds } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import type { World } from '@lobbystats/simulator';
import type { BoardStore, BoardWrite } from '../services/catalog-api/src/domain/board-store.ts';
import type { BoardObservation } from '../services/catalog-api/src/domain/board-observation.ts';
import { observedBoard } from './board-world.ts';

const ATTEMPTS = 20;
/** Rows of a commit, about. */
const ROWS = 6000;
/** One entry in so many is kept to be asked for. */
const SAMPLE = 997;

/** What is on the boards, for asking. */
export interface Samples {
  readonly entries: number;
  /** Times of entries of time boards, in milliseconds. */
  readonly times: readonly number[];
  readonly players: readonly { readonly playerName: string; readonly rank: number }[];
}

/** Puts all boards of a pass into a store, by its own commit. */
export async function fillBoards(store: BoardStore, world: World, pass: EpochSeconds): Promise<Samples> {
  const times: number[] = [];
  const players: { playerName: string; rank: number }[] = [];
  let [entries, waiting]: [number, BoardWrite[]] = [0, []];
  let rows = 0;
  const commit = async () => {
    const log = await store.changeLog();
    const next = { ...log, revision: log.revision + 1 };
    const boards = waiting;
    await patiently(() => store.commit({ expectedRevision: log.revision, log: next, boards, changes: [], facts: [] }));
    [waiting, rows] = [[], 0];
  };
  for (const key of world.boardKeysAt(pass)) {
    const write = firstWrite(observedBoard(world, pass, key));
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
  return { entries, times, players };
}

/** A server that is busy with others may need more than one try; what was committed after all stays so. */
async function patiently(commit: () => Promise<boolean>): Promise<void> {
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
