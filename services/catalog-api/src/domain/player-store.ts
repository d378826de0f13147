import type { Fact } from '@lobbystats/contracts';

/** A person of the site who may stand on boards. */
export interface KnownPerson {
  /** `usernameKey` of their username. */
  readonly userKey: string;
  /** As the network's feed has it; "" when unknown. */
  readonly gamertag: string;
  /** Of what was told of them: the higher is right. */
  readonly revision: number;
}

/** What changes together or not at all. */
export interface PlayerCommit {
  /** The revision of the log of changes: a commit of boards meanwhile makes this one stale, as this one makes theirs. */
  readonly expectedRevision: number;
  readonly revision: number;
  readonly put: readonly KnownPerson[];
  /** User keys: they are taken out, and a mark that holds no name is left of each. */
  readonly forgotten: readonly string[];
  readonly facts: readonly Fact[];
}

/**
 * The people whose ranks are told of. Lists of keys may be thousands long; who isn't there is missing in the answer.
 *
 * Every method rejects with an AppError `unavailable` when the store can't be reached or written now.
 */
export interface PlayerStore {
  /** By user key. */
  people(userKeys: readonly string[]): Promise<Map<string, KnownPerson>>;
  /** Which of these user keys are those of people who were forgotten. */
  forgotten(userKeys: readonly string[]): Promise<Set<string>>;
  /** The gamertags of these player keys (`nameKey`) that somebody has. */
  gamertags(playerKeys: readonly string[]): Promise<Map<string, string>>;
  /** Makes the whole change durable in one transaction; false, with nothing changed, when the revision isn't the expected one. */
  commitPeople(commit: PlayerCommit): Promise<boolean>;
}
