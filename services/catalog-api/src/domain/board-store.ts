import type { ChangeType, EpochSeconds, Fact } from '@lobbystats/contracts';
import type { BoardContent, BoardKey, BoardState, Entry } from './board.ts';
import type { BoardConfirmation } from './board-observation.ts';

/** Where the log of changes stands. */
export interface ChangeLog {
  /** Grows with every commit of boards and of people, and when lists of changes or searches show more of them. */
  readonly revision: number;
  /** The last change's id and time; 0 and 0 before the first. No later one has a lower id or an earlier time. */
  readonly lastId: number;
  readonly lastChangedAt: EpochSeconds;
}

/** A change of an entry, as it is kept. Ranks, ratings and times are null where there is no entry, times also on score boards. */
export interface StoredChange extends BoardKey {
  readonly id: number;
  readonly type: ChangeType;
  readonly playerName: string;
  readonly isTime: boolean;
  readonly oldRank: number | null;
  readonly newRank: number | null;
  readonly oldRating: string | null;
  readonly newRating: string | null;
  readonly oldTimeMs: number | null;
  readonly newTimeMs: number | null;
  readonly changedAt: EpochSeconds;
}

/** What a board is from a commit on. */
export interface BoardWrite {
  readonly state: BoardState;
  /** In order; empty when it is gone. */
  readonly entries: readonly Entry[];
}

/** What changes together or not at all. */
export interface BoardCommit {
  readonly expectedRevision: number;
  /** The log after it, its revision included. */
  readonly log: ChangeLog;
  /**
   * At most one for each board. Each also becomes the board's version of the UTC day of its `changedAt`. What one said that
   * is gone now is kept, with the name and kind of its state. `observedAt` never goes back.
   */
  readonly boards: readonly BoardWrite[];
  /** Other boards, known ones, that said again what they had said, in a later pass. Default: none. */
  readonly seen?: readonly (BoardKey & { readonly pass: EpochSeconds; readonly seenAt: EpochSeconds })[];
  /** By id; all ids are above those before. */
  readonly changes: readonly StoredChange[];
  readonly facts: readonly Fact[];
}

/** Which changes. Those of all titles and types where nothing is said. */
export interface ChangeFilter {
  readonly titleId?: string;
  readonly type?: ChangeType;
  /** Only those later than this instant. */
  readonly since?: EpochSeconds;
}

/** One page of changes: by id, downwards, or upwards when `after` is given. */
interface ChangePage {
  /** Ids below this one. */
  readonly before?: number;
  /** Ids above this one, lowest first. */
  readonly after?: number;
  readonly offset: number;
  readonly limit: number;
}

/** An entry that was found, with its board. */
export interface FoundEntry extends BoardKey {
  readonly leaderboardName: string;
  readonly isTime: boolean;
  readonly playerName: string;
  readonly rank: number;
  readonly rating: string;
  readonly timeMs: number;
}

/**
 * Where boards, their entries, versions and changes live. Several processes may share one store. Texts come back exactly
 * as they went in. A player is found by `nameKey`. Boards that are gone, and their entries, are not found by what lists
 * or searches.
 *
 * Every method rejects with an AppError `unavailable` when the store can't be reached or written now.
 */
export interface BoardStore {
  changeLog(): Promise<ChangeLog>;
  /** The states of these boards, gone ones included, in no order; unknown ones are absent. */
  states(keys: readonly BoardKey[]): Promise<BoardState[]>;
  /**
   * Makes the whole change durable at once, or nothing of it; false, with nothing changed, when the revision isn't the expected
   * one. Lists of changes and searches may show it later, before the outbox gives out its facts; each such step moves the
   * revision.
   */
  commit(change: BoardCommit): Promise<boolean>;

  /**
   * Moves `observedAt` of these boards forward, never back. No effect on a board that is unknown, or whose stored observation
   * is of an earlier pass than the confirmed one. The revision stays, and no fact follows.
   */
  confirm(confirmations: readonly BoardConfirmation[]): Promise<void>;

  /** A board that isn't gone. */
  state(key: BoardKey): Promise<BoardState | undefined>;
  /** A title's boards, gone ones included, by id. */
  boardsOf(titleId: string): Promise<BoardState[]>;
  /** A board's entries in order, from `offset` on; all of them when no limit is given. Empty for an unknown or gone one. */
  entries(key: BoardKey, page?: { offset: number; limit?: number }): Promise<Entry[]>;
  /** Where a player first stands on a board, counted from 0; undefined when absent. */
  placeOf(key: BoardKey, playerKey: string): Promise<number | undefined>;
  /**
   * The board as it stood at the end of a UTC day (`YYYY-MM-DD`): its last version of that day or an earlier one. `gone`
   * when it was gone then; undefined when it had not been seen yet.
   */
  versionAt(key: BoardKey, day: string): Promise<BoardContent | 'gone' | undefined>;
  /** What a board last said before it was gone, for when it comes back. */
  lastContent(key: BoardKey): Promise<BoardContent | undefined>;

  changes(filter: ChangeFilter, page: ChangePage): Promise<StoredChange[]>;
  /** How many changes there are, of ids above `after` if it is given. Cheap without `since` and `after`. */
  countChanges(filter: ChangeFilter, after?: number): Promise<number>;
  /** The titles that have a change, in no order. */
  changedTitles(): Promise<string[]>;

  /**
   * Entries of time boards within `tolerance` ms of a time: the nearest first, then by titleId, board, rank. Walks outward
   * and stops when it has `limit`.
   */
  nearTime(wanted: { timeMs: number; tolerance: number; titleId?: string; limit: number }): Promise<FoundEntry[]>;
  /** Entries of players by {@link nameKey}, by titleId, board, rank, place; the first `limit` of them, all when not given. */
  ofPlayers(wanted: { keys: readonly string[]; titleId?: string; limit?: number }): Promise<FoundEntry[]>;
  /** Their entries on time boards in the same order, in parts of whole boards; no more is read than is asked for, about. */
  timesOfPlayers(wanted: { keys: readonly string[]; titleId?: string }): AsyncIterable<FoundEntry[]>;
  /** Entries where such a player stands at such a rank, by titleId, board, rank. */
  atRanks(wanted: { pairs: readonly { key: string; rank: number }[]; titleId?: string }): Promise<FoundEntry[]>;
}
