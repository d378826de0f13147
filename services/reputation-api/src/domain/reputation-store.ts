import type { Fact, Outbox } from '@lobbystats/contracts';
import type { Person } from './person.ts';
import type { Rating, RatingKey } from './rating.ts';

/** What a change has to know: what isn't there is missing in {@link Before}. */
export interface Reads {
  /** Keys. */
  readonly people?: readonly string[];
  readonly ratings?: readonly RatingKey[];
  /** Keys of people who may have been forgotten. */
  readonly mayBeForgotten?: readonly string[];
}

/** What is there before a change. */
export interface Before {
  /** Of the last change. */
  readonly revision: number;
  /** By key. */
  readonly people: ReadonlyMap<string, Person>;
  /** By `ratingId`. */
  readonly ratings: ReadonlyMap<string, Rating>;
  /** Keys of those, of the ones asked for, who were forgotten. */
  readonly forgotten: ReadonlySet<string>;
}

/** What becomes durable together, or not at all. */
export interface Change {
  /** Higher than the one before. */
  readonly revision: number;
  /** New and changed ones, whole. */
  readonly people: readonly Person[];
  /** Keys. */
  readonly removedPeople: readonly string[];
  /** New and changed ones, whole. */
  readonly ratings: readonly Rating[];
  readonly removedRatings: readonly RatingKey[];
  /** Keys of people who are forgotten from now on: kept as marks that give no name away. */
  readonly forgotten: readonly string[];
  readonly facts: readonly Fact[];
}

/** A change that was worked out, and what there is to say of it. */
interface WorkedOut<Result> {
  readonly result: Result;
  /** undefined: nothing changes. */
  readonly change: Change | undefined;
}

/** What a profile's readers are shown. */
export interface ProfileReading {
  readonly profile: Person;
  /** Those that count: the newest first, those of one second by the rater's username in code-point order. */
  readonly feedback: readonly Rating[];
  /** The viewer's own, if it counts. */
  readonly own: Rating | undefined;
}

interface ProfileQuestion {
  readonly profileKey: string;
  readonly feedbackLimit: number;
  readonly viewerKey: string | undefined;
}

/**
 * People, their ratings and the facts that tell of them. Any number of processes may share one store: each change is made as
 * if it were alone, on what all changes before it have left. Texts come back exactly as they went in. Nothing is held in
 * memory.
 *
 * Every method rejects with an AppError `unavailable` when the store can't be reached or written now.
 */
export interface ReputationStore {
  /** What is there of a profile at one instant; undefined where nobody has this key. */
  readProfile(question: ProfileQuestion): Promise<ProfileReading | undefined>;
  /** Whom somebody has rated, by the profile's key, behind `after`. */
  ratingsBy(raterKey: string, page: { after?: string | undefined; limit: number }): Promise<RatingKey[]>;
  /** Who has rated somebody, by the rater's key, behind `after`. */
  ratingsOf(profileKey: string, page: { after?: string | undefined; limit: number }): Promise<RatingKey[]>;
  /**
   * Reads, works out and writes in one transaction: all of it is durable when this resolves, or nothing is.
   *
   * @param workOut without effects of its own: it is called again when another change came between. What it throws is thrown,
   *   and nothing has changed then
   * @param withinMs when to give up what can't be had yet, in milliseconds; default: some seconds
   */
  change<Result>(reads: Reads, workOut: (before: Before) => WorkedOut<Result>, withinMs?: number): Promise<Result>;
  readonly outbox: Outbox;
  /** Rejects when the store can't be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}
