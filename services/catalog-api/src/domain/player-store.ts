import type { Fact } from '@lobbystats/contracts';

export interface KnownPerson {
  readonly userKey: string;
  readonly gamertag: string;
  readonly revision: number;
}

export interface PlayerCommit {
  /** Commits of boards and of people make each other stale. */
  readonly expectedRevision: number;
  readonly revision: number;
  readonly put: readonly KnownPerson[];
  /** User keys; a keyed mark without a name remains of each. */
  readonly forgotten: readonly string[];
  readonly facts: readonly Fact[];
}

/** Users whose ranks are published. Missing keys are absent in answers. Throws AppError `unavailable`. */
export interface PlayerStore {
  people(userKeys: readonly string[]): Promise<Map<string, KnownPerson>>;
  forgotten(userKeys: readonly string[]): Promise<Set<string>>;
  gamertags(playerKeys: readonly string[]): Promise<Map<string, string>>;
  /** Atomic; false when the revision isn't the expected one. */
  commitPeople(commit: PlayerCommit): Promise<boolean>;
}
