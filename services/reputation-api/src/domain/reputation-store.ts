import type { Fact, Outbox } from '@lobbystats/contracts';
import type { Person } from './person.ts';
import type { Rating, RatingKey } from './rating.ts';

export interface Reads {
  readonly people?: readonly string[];
  readonly ratings?: readonly RatingKey[];
  /** Keys that may belong to erased users. */
  readonly mayBeForgotten?: readonly string[];
}

export interface Before {
  readonly revision: number;
  readonly people: ReadonlyMap<string, Person>;
  readonly ratings: ReadonlyMap<string, Rating>;
  readonly forgotten: ReadonlySet<string>;
}

export interface Change {
  readonly revision: number;
  readonly people: readonly Person[];
  readonly removedPeople: readonly string[];
  readonly ratings: readonly Rating[];
  readonly removedRatings: readonly RatingKey[];
  readonly forgotten: readonly string[];
  readonly facts: readonly Fact[];
}

interface WorkedOut<Result> {
  readonly result: Result;
  readonly change: Change | undefined;
}

export interface ProfileReading {
  readonly profile: Person;
  readonly feedback: readonly Rating[];
  readonly own: Rating | undefined;
}

interface ProfileQuestion {
  readonly profileKey: string;
  readonly feedbackLimit: number;
  readonly viewerKey: string | undefined;
}

/** Changes are serialised over processes. Rejects with AppError `unavailable`. */
export interface ReputationStore {
  readProfile(question: ProfileQuestion): Promise<ProfileReading | undefined>;
  ratingsBy(raterKey: string, page: { after?: string | undefined; limit: number }): Promise<RatingKey[]>;
  ratingsOf(profileKey: string, page: { after?: string | undefined; limit: number }): Promise<RatingKey[]>;
  /**
   * Reads, computes and writes in one transaction. `workOut` must be pure: it runs again after a conflict; its errors
   * are rethrown, and nothing changes then.
   *
   * @param workOut without effects of its own: it is called again when another change came between. What it throws is thrown,
   * and nothing has changed then
   * @param withinMs when to give up what can't be had yet, in milliseconds; default: some seconds
   */
  change<Result>(reads: Reads, workOut: (before: Before) => WorkedOut<Result>, withinMs?: number): Promise<Result>;
  readonly outbox: Outbox;
  check(): Promise<void>;
  close(): Promise<void>;
}
