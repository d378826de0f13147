import type { Fact } from '@lobbystats/contracts';

export interface TrackedUser {
  readonly userKey: string;
  readonly gamertag: string;
  readonly revision: number;
}

export interface PlayerCommit {
  /** Commits of boards and of users make each other stale. */
  readonly expectedRevision: number;
  readonly revision: number;
  readonly put: readonly TrackedUser[];
  /** User keys, which are removed. Default: none. */
  readonly retired?: readonly string[];
  /** User keys; only a keyed hash of each remains. */
  readonly erased: readonly string[];
  /** User keys that are no longer erased. Default: none. */
  readonly allowed?: readonly string[];
  readonly facts: readonly Fact[];
}

/** Users whose ranks are published. Missing keys are absent in results. Throws AppError `unavailable`. */
export interface PlayerStore {
  users(userKeys: readonly string[]): Promise<Map<string, TrackedUser>>;
  erasedUsers(userKeys: readonly string[]): Promise<Set<string>>;
  gamertags(playerKeys: readonly string[]): Promise<Map<string, string>>;
  /** Atomic; false when the revision isn't the expected one. */
  commitUsers(commit: PlayerCommit): Promise<boolean>;
}
