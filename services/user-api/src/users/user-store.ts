import type { EpochSeconds, Fact } from '@lobbystats/contracts';
import type { Definition } from '../definitions/definitions.ts';
import type { HostDay, NamedUnlock, PlayDay, PlayerRecord, Presence, Unlock, UserRecord } from './user-record.ts';

export interface Evaluation {
  readonly digest: string;
  readonly after: string | undefined;
  readonly done: boolean;
}

/** Slots from `from` to `to` that are withdrawn until `at`; `done`: from all users. */
export interface WithdrawnSlots {
  readonly from: EpochSeconds;
  readonly to: EpochSeconds;
  readonly at: EpochSeconds;
  readonly done: boolean;
}

/** Atomic. */
export interface UserCommit {
  readonly expectedRevision: number;
  readonly revision: number;
  readonly users?: readonly UserRecord[];
  /** Keys of users without unlocks. Rejects with AppError `unavailable` if one has a profile. */
  readonly retiredUsers?: readonly string[];
  readonly playDays?: readonly PlayDay[];
  readonly players?: readonly PlayerRecord[];
  readonly retiredPlayers?: readonly string[];
  readonly hostDays?: readonly HostDay[];
  readonly unlocks?: readonly Unlock[];
  /** Unlocks of before, with other times. */
  readonly movedUnlocks?: readonly Unlock[];
  /** Their users are among `users`, without them. */
  readonly withdrawnUnlocks?: readonly Unlock[];
  readonly definitions?: readonly Definition[];
  readonly evaluation?: Evaluation;
  readonly withdrawals?: readonly WithdrawnSlots[] | undefined;
  readonly facts?: readonly Fact[];
}

export interface UnlockCounts {
  readonly byAchievement: ReadonlyMap<number, number>;
  readonly players: number;
}

export interface LeaderboardEntry {
  /** Competition ranking. */
  readonly rank: number;
  readonly username: string;
  readonly score: number;
  readonly achievementCount: number;
}

export type OnlineUser = Pick<UserRecord, 'username'> & Omit<Presence, 'isOnline'>;

interface OnlinePage {
  /** The earliest sighting that counts. */
  readonly since: EpochSeconds;
  /** Default: in all titles, and in none. */
  readonly titleId?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface DayKey {
  readonly key: string;
  readonly day: number;
}

/**
 * `commit` expects the revision read before its inputs, so commits are serialised over replicas. Lists of keys may be
 * long; missing ones are absent in answers. Rejects with AppError `unavailable`.
 */
export interface UserStore {
  revision(): Promise<number>;
  users(keys: readonly string[]): Promise<Map<string, UserRecord>>;
  /** Users with a profile, with quiet hours, or who follow something. */
  keysWithContent(userKeys: readonly string[]): Promise<Set<string>>;
  isKnown(userKey: string): Promise<boolean>;
  /** Number of users; it may lag behind a little. */
  count(): Promise<number>;
  usersByGamertag(playerKeys: readonly string[]): Promise<Map<string, UserRecord[]>>;
  players(keys: readonly string[]): Promise<Map<string, PlayerRecord>>;
  playDays(dayKeys: readonly DayKey[]): Promise<PlayDay[]>;
  hostDays(dayKeys: readonly DayKey[]): Promise<HostDay[]>;
  findErased(hashes: readonly string[]): Promise<Set<string>>;
  /** The hashes of all erased users, in code-point order. */
  erasedHashes(): Promise<string[]>;
  /** Users who were online when they were seen last, by key in code-point order; and how many there are on all pages. */
  onlineUsers(page: OnlinePage): Promise<{ users: OnlineUser[]; total: number }>;
  usersAfter(after: string | undefined, limit: number): Promise<UserRecord[]>;
  playersAfter(after: string | undefined, limit: number): Promise<PlayerRecord[]>;
  evaluation(): Promise<Evaluation | undefined>;
  definitions(): Promise<Definition[]>;
  withdrawals(): Promise<readonly WithdrawnSlots[]>;
  /** Returns false when the revision has moved; nothing changes then. */
  commit(commit: UserCommit): Promise<boolean>;
  /** Removes at most some thousands of days and returns their number; their minutes stay counted. */
  removeDaysBefore(day: number): Promise<number>;

  /** The times of the unlocks of users, by user and achievement. */
  unlockTimes(userKeys: readonly string[]): Promise<Map<string, Map<number, EpochSeconds>>>;
  unlocksOf(userKey: string, since?: EpochSeconds): Promise<Unlock[]>;
  /** Newest first, then by achievement and username. @param achievementId default: of all */
  recentUnlocks(limit: number, offset?: number, achievementId?: number): Promise<NamedUnlock[]>;
  unlockCounts(): Promise<UnlockCounts>;
  /** Highest score first, then by username in code-point order. */
  leaderboard(offset: number, limit: number): Promise<LeaderboardEntry[]>;
  /** Undefined for users who are not on the leaderboard. */
  leaderboardOffset(userKey: string): Promise<number | undefined>;
}
