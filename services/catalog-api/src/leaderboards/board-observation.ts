import type { EpochSeconds } from '@lobbystats/contracts';
import type { BoardContent, BoardKey, Entry } from './board.ts';

export interface BoardObservation extends BoardKey {
  readonly name: string;
  readonly pass: EpochSeconds;
  readonly seenAt: EpochSeconds;
  readonly board: Pick<BoardContent, 'isTime' | 'entries'> | null;
}

export interface BoardConfirmation extends BoardKey {
  readonly pass: EpochSeconds;
  readonly seenAt: EpochSeconds;
}

/** Drops lone surrogates, which UTF-8 can not carry and would look like changes, and times on score boards. */
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
