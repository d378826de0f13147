import type { ChangeType, EpochSeconds, Fact, Match } from '@lobbystats/contracts';
import type { BoardSizes } from './board-growth.ts';
import type { BoardContent, BoardKey, BoardState, Entry, BoardConfirmation } from './board.ts';

export interface ChangeLog {
  /** Grows with every commit of boards or users and with every projection step. */
  readonly revision: number;
  readonly lastId: number;
  readonly lastChangedAt: EpochSeconds;
}

/** The entry that a record has beaten: of another player, or the player's own. */
export type Beaten = Pick<Entry, 'name' | 'rating' | 'timeMs'>;

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
  /** Null: it is no record. */
  readonly beaten: Beaten | null;
}

export interface BoardWrite {
  readonly state: BoardState;
  readonly entries: readonly Entry[];
}

export interface BoardCommit {
  readonly expectedRevision: number;
  readonly log: ChangeLog;
  /** At most one per board; also stored as the version of the UTC day of `changedAt`. `observedAt` never goes back. */
  readonly boards: readonly BoardWrite[];
  /** Boards seen unchanged in a later pass. */
  readonly seen?: readonly BoardConfirmation[];
  readonly changes: readonly StoredChange[];
  readonly facts: readonly Fact[];
  /** True for a backfill. Default: false. */
  readonly past?: boolean;
}

export interface ChangeFilter {
  readonly titleId?: string | undefined;
  readonly playerKey?: string | undefined;
  /** Those of these leaderboards alone. Needs a title. */
  readonly leaderboardIds?: readonly number[] | undefined;
  readonly type?: ChangeType | undefined;
  /** `all` selects the changes with new rank 1, `records` the records among them. */
  readonly first?: 'all' | 'records' | undefined;
  /** Exclusive. */
  readonly since?: EpochSeconds | undefined;
}

/** Returns whether the counters by title and type hold the number of changes that a filter selects. They ignore `since`. */
export function isCounted({ playerKey, leaderboardIds, first }: ChangeFilter): boolean {
  return playerKey === undefined && leaderboardIds === undefined && first === undefined;
}

interface ChangePage {
  readonly before?: number;
  readonly after?: number;
  readonly offset: number;
  readonly limit: number;
}

export interface FoundEntry extends BoardKey {
  readonly leaderboardName: string;
  readonly isTime: boolean;
  readonly playerName: string;
  readonly rank: number;
  readonly rating: string;
  readonly timeMs: number;
}

interface BoardVersion {
  readonly day: string;
  readonly content: BoardContent | null;
}

/** A name of a player, or of a leaderboard. */
export interface FoundName {
  readonly match: Match;
  readonly name: string;
  readonly entries: number;
  /** Null: a player. */
  readonly board: BoardKey | null;
}

interface InTitle {
  /** Undefined: in all titles. */
  readonly titleId?: string | undefined;
}

interface NearTime {
  readonly timeMs: number;
  readonly tolerance: number;
}

/** Players are found by `nameKey`. Boards that are gone appear in no list or search. Throws AppError `unavailable`. */
export interface BoardStore {
  /** Entries of one commit; a larger board is one commit. */
  readonly rowsPerCommit: number;
  changeLog(): Promise<ChangeLog>;
  states(keys: readonly BoardKey[]): Promise<BoardState[]>;
  /** Numbers of boards, gone ones included, and of their entries. */
  sizes(): Promise<Omit<BoardSizes, 'changes'>>;
  /** Atomic; false when the revision isn't the expected one. Lists and searches never lag behind published facts. */
  commit(change: BoardCommit): Promise<boolean>;

  /** Moves `observedAt` forward. No effect when the confirmed observation is not stored. Publishes nothing. */
  confirm(confirmations: readonly BoardConfirmation[]): Promise<void>;

  state(key: BoardKey): Promise<BoardState | undefined>;
  boardsOf(titleId: string): Promise<BoardState[]>;
  /** In order; all without a limit. Empty for an unknown or gone board. */
  entries(key: BoardKey, page?: { offset: number; limit?: number }): Promise<Entry[]>;
  positionOf(key: BoardKey, playerKey: string): Promise<number | undefined>;
  /** The last version up to that UTC day (`YYYY-MM-DD`). `gone`: the board was gone; undefined: not seen yet. */
  versionAt(key: BoardKey, day: string): Promise<BoardContent | 'gone' | undefined>;
  /** Newest first, from the UTC day `since`. `content` is null where the board was gone. */
  versions(key: BoardKey, query: { since: string; limit: number }): AsyncIterable<BoardVersion>;
  lastContent(key: BoardKey): Promise<BoardContent | undefined>;

  changes(filter: ChangeFilter, page: ChangePage): Promise<StoredChange[]>;
  /** Cheap without `playerKey`, `leaderboardIds`, `first`, `since` and `after`. */
  countChanges(filter: ChangeFilter, after?: number): Promise<number>;
  changesById(ids: readonly number[]): Promise<StoredChange[]>;
  /** Changes of these players on a leaderboard, newest first. */
  changesOnBoard(key: BoardKey, playerKeys: readonly string[]): Promise<StoredChange[]>;
  changedTitles(): Promise<string[]>;

  /** Nearest first, then by titleId, board, rank. `from`: the least distance, 0 by default. */
  nearTime(query: InTitle & NearTime & { from?: number; limit: number }): Promise<FoundEntry[]>;
  countNearTime(query: NearTime & { titleIds: readonly string[] }): Promise<number>;
  ofPlayers(query: InTitle & { keys: readonly string[]; limit?: number }): Promise<FoundEntry[]>;
  timesOfPlayers(query: InTitle & { keys: readonly string[] }): AsyncIterable<FoundEntry[]>;
  atRanks(query: InTitle & { pairs: readonly { key: string; rank: number }[] }): Promise<FoundEntry[]>;

  /** Names with a word key that begins with `key`; better matches first, then those with more entries. */
  namesWithWord(key: string, limit: number): Promise<FoundName[]>;
  /** Names with a part that begins with `key`, those with least behind it first. */
  namesWithPart(key: string, limit: number): Promise<FoundName[]>;
  /** How many boards of each title have an entry of each player. */
  boardCounts(playerKeys: readonly string[]): Promise<Map<string, ReadonlyMap<string, number>>>;
  /** Entries on all boards of each title. */
  entryCounts(titleIds: readonly string[]): Promise<Map<string, number>>;
}
