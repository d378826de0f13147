import type { EpochSeconds, PastPlayer } from '@lobbystats/contracts';
import type { BoardContent, BoardKey } from './board.ts';
import type { RegisteredDay } from './observation-publisher.ts';
import type { SlotObservation } from './slot-observation.ts';

export interface SnapshotHistory {
  slots(fromInclusive: EpochSeconds, toExclusive: EpochSeconds): AsyncIterable<SlotObservation>;
  days(fromInclusive: EpochSeconds, toExclusive: EpochSeconds): AsyncIterable<RegisteredDay>;
}

/** Reads a part of a feed from a cursor; null: the first part. Resolves to undefined when the feed does not exist. */
export type ReadPart<Part> = (
  fromInclusive: EpochSeconds,
  toExclusive: EpochSeconds,
  cursor: string | null,
) => Promise<Part | undefined>;

export interface PastBoard extends BoardKey {
  pass: EpochSeconds;
  name: string;
  board: BoardContent | null;
}

export interface BoardHistoryPart {
  boards: PastBoard[];
  next: string | null;
}

export interface BoardHistory {
  part: ReadPart<BoardHistoryPart>;
}

export interface PlayerHistoryPart {
  players: PastPlayer[];
  next: string | null;
}

export interface PlayerHistory {
  part: ReadPart<PlayerHistoryPart>;
}
