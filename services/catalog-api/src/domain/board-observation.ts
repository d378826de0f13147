import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardContent, BoardKey, Entry } from './board.ts';

/** What a board said in a pass. */
export interface BoardObservation extends BoardKey {
  /** `""` for one that is gone. */
  readonly name: string;
  readonly pass: EpochSeconds;
  readonly seenAt: EpochSeconds;
  /** Null when the network no longer has it. */
  readonly board: Pick<BoardContent, 'isTime' | 'entries'> | null;
}

/** A reading that found a board as the observation of a pass has it. */
export interface BoardConfirmation extends BoardKey {
  /** The pass of that observation. */
  readonly pass: EpochSeconds;
  readonly seenAt: EpochSeconds;
}

/**
 * What an observation says, as it is kept: without lone surrogates, which no store and no UTF-8 body can carry, and would
 * look like a change each time; with no times on a score board. Null when the board is gone.
 */
export function contentOf({ name, board }: Pick<BoardObservation, 'name' | 'board'>): BoardContent | null {
  if (board === null) return null;
  const { isTime } = board;
  const entries = board.entries.map((entry): Entry => ({
    rank: entry.rank,
    name: entry.name.toWellFormed(),
    rating: entry.rating.toWellFormed(),
    timeMs: isTime ? entry.timeMs : 0,
  }));
  return { name: name.toWellFormed(), isTime, entries };
}
