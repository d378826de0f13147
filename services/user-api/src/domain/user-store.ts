import type { EpochSeconds, Fact } from '@lobbystats/contracts';
import type { Definition } from './definitions.ts';
import type { HostDay, NamedUnlock, PlayDay, PlayerRecord, Unlock, UserRecord } from './user-record.ts';

/** How far the evaluation of everyone under a set of definitions has come. */
export interface Evaluation {
  /** Of the definitions. */
  readonly digest: string;
  /** Key of the last user who was evaluated; undefined: none yet. */
  readonly after: string | undefined;
  readonly done: boolean;
}

/** What becomes durable together, or not at all. */
export interface UserCommit {
  readonly expectedRevision: number;
  /** From then on: see `nextRevision`. */
  readonly revision: number;
  /** New and changed ones, whole. */
  readonly users?: readonly UserRecord[];
  /** New and changed ones, whole. */
  readonly playDays?: readonly PlayDay[];
  readonly players?: readonly PlayerRecord[];
  readonly hostDays?: readonly HostDay[];
  /** Of users in `users`, who carry their ids and points already. None of them was there before. */
  readonly unlocks?: readonly Unlock[];
  /** Definitions that are new or changed: those of the file that unlocks may speak of for ever. */
  readonly definitions?: readonly Definition[];
  readonly evaluation?: Evaluation;
  readonly facts?: readonly Fact[];
}

/** How many people have unlocked what. */
export interface UnlockCounts {
  readonly byAchievement: ReadonlyMap<number, number>;
  /** People with at least one. */
  readonly players: number;
}

/** A place of the achievement leaderboard. */
export interface LeaderboardPlace {
  /** How many have a higher score, and one: equal scores share it. */
  readonly rank: number;
  readonly username: string;
  readonly score: number;
  readonly achievementCount: number;
}

/** Where a person is asked for. */
export interface DayKey {
  /** A user's or a player's. */
  readonly key: string;
  readonly day: number;
}

/**
 * People, their play time and achievements.
 *
 * What messages change is written by one commit after another, whichever replica makes it: `commit` expects the revision that
 * was read before all that it was worked out from. Lists of keys may be thousands long; what isn't there is missing in the
 * answer. Every method rejects with an AppError `unavailable` when the store can't be reached or written now.
 */
export interface UserStore {
  revision(): Promise<number>;
  users(keys: readonly string[]): Promise<Map<string, UserRecord>>;
  /** Whether a person is there. */
  isKnown(userKey: string): Promise<boolean>;
  /** By `nameKey` of their gamertag; more than one person may have one. */
  usersByGamertag(playerKeys: readonly string[]): Promise<Map<string, UserRecord[]>>;
  players(keys: readonly string[]): Promise<Map<string, PlayerRecord>>;
  playDays(wanted: readonly DayKey[]): Promise<PlayDay[]>;
  hostDays(wanted: readonly DayKey[]): Promise<HostDay[]>;
  /** Which of these keyed hashes are those of people who were forgotten. */
  forgotten(hashes: readonly string[]): Promise<Set<string>>;
  /** Users by key, those behind `after`. */
  usersAfter(after: string | undefined, limit: number): Promise<UserRecord[]>;
  evaluation(): Promise<Evaluation | undefined>;
  /** All that were ever committed, by id. */
  definitions(): Promise<Definition[]>;
  /** @returns false when the revision is another: nothing has changed then */
  commit(commit: UserCommit): Promise<boolean>;
  /** Takes out days before this one: they stay counted. At most some thousands at once; tells how many. */
  removeDaysBefore(day: number): Promise<number>;

  /** A person's unlocks at or after `since`, newest first, those of one time by id. */
  unlocksOf(userKey: string, since?: EpochSeconds): Promise<Unlock[]>;
  /** Newest first, those of one time by achievement, then by username. */
  recentUnlocks(limit: number): Promise<NamedUnlock[]>;
  unlockCounts(): Promise<UnlockCounts>;
  /** People who have at least one achievement, by score, the highest first, then by username in code-point order. */
  leaderboard(offset: number, limit: number): Promise<LeaderboardPlace[]>;
  /** How many stand before this person on the leaderboard; undefined for one who isn't on it. */
  leaderboardOffset(userKey: string): Promise<number | undefined>;
}
