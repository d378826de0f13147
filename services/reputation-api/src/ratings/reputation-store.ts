import type { Fact, Outbox } from '@lobbystats/contracts';
import type { RatedUser } from './rated-user.ts';
import type { NamedRating, Rating, RatingKey } from './rating.ts';

export interface Reads {
  readonly users?: readonly string[];
  readonly ratings?: readonly RatingKey[];
  /** Keys that may belong to erased users. */
  readonly maybeErased?: readonly string[];
}

export interface Before {
  readonly revision: number;
  readonly users: readonly RatedUser[];
  readonly ratings: readonly Rating[];
  /** Keys. */
  readonly erased: readonly string[];
}

export interface Change {
  readonly revision: number;
  readonly users: readonly RatedUser[];
  readonly removedUsers: readonly string[];
  readonly ratings: readonly Rating[];
  readonly removedRatings: readonly RatingKey[];
  readonly erased: readonly string[];
  /** Users who are no longer erased. Default: none. */
  readonly allowed?: readonly string[];
  readonly facts: readonly Fact[];
}

interface ChangeResult<Result> {
  readonly result: Result;
  readonly change: Change | undefined;
}

export interface ProfileReading {
  readonly profile: RatedUser;
  readonly feedback: readonly Rating[];
  readonly own: Rating | undefined;
}

interface ProfileQuery {
  readonly profileKey: string;
  readonly feedbackLimit: number;
  /** Default: 0. */
  readonly feedbackOffset?: number | undefined;
  readonly viewerKey: string | undefined;
}

/** Changes are serialised over processes. Rejects with AppError `unavailable`. */
export interface ReputationStore {
  readProfile(query: ProfileQuery): Promise<ProfileReading | undefined>;
  ratingsBy(raterKey: string, page: { after?: string | undefined; limit: number }): Promise<RatingKey[]>;
  /** All ratings received, by rater key. */
  ratingsOf(profileKey: string, page: { after?: string | undefined; limit: number }): Promise<Rating[]>;
  /** All ratings given, by profile key, markers of removed ones included. */
  namedRatingsBy(raterKey: string, page: { after?: string | undefined; limit: number }): Promise<NamedRating[]>;
  /** Newest first, without markers of removed ones. */
  ratingsGiven(raterKey: string, page: { offset: number; limit: number }): Promise<NamedRating[]>;
  readUser(key: string): Promise<RatedUser | undefined>;
  /** Ratings with an open report, the oldest report first. */
  reportedRatings(limit: number): Promise<NamedRating[]>;
  /**
   * Reads, computes and writes in one transaction. `workOut` must be pure: it runs again after a conflict; its errors
   * are rethrown, and nothing changes then.
   *
   * @param withinMs the timeout; default: some seconds
   */
  change<Result>(reads: Reads, workOut: (before: Before) => ChangeResult<Result>, withinMs?: number): Promise<Result>;
  readonly outbox: Outbox;
  check(): Promise<void>;
  close(): Promise<void>;
}
