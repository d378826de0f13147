import type { EpochSeconds, GameMetadata } from '@lobbystats/contracts';
import type { TitleRecord } from './title-record.ts';

/** A fact that is to be published: titles that are new or have changed, as they stand at a revision. */
export interface TitleFact {
  /** Of two facts on one title, the one with the higher revision is right. */
  readonly revision: number;
  readonly occurredAt: EpochSeconds;
  readonly past: boolean;
  readonly titles: readonly GameMetadata[];
}

/** What changes together or not at all. */
export interface TitleCommit {
  /** The revision that the change was worked out from. */
  readonly expectedRevision: number;
  /** The revision after it: greater than `expectedRevision`, and not less than any of the facts'. */
  readonly revision: number;
  /** Each replaces the record of its title ID. */
  readonly records: readonly TitleRecord[];
  /** Wait in the outbox until they are removed. Their revisions are unique and above `expectedRevision`. */
  readonly facts: readonly TitleFact[];
}

/**
 * Where the titles, their revision and the outbox live. Several processes may share one store. Texts come back exactly
 * as they went in, NUL and astral characters included; they have no lone surrogates.
 *
 * Every method rejects with an AppError `unavailable` when the store can't be reached or written now.
 */
export interface TitleStore {
  /** The revision now; 0 before the first commit. Cheap: it is asked for on every read. */
  revision(): Promise<number>;
  /** All records, in no order, as they were together at one revision. */
  read(): Promise<{ revision: number; records: TitleRecord[] }>;
  /**
   * Makes the whole change durable in one transaction.
   *
   * @returns false, with nothing changed, when the revision is no longer the expected one: read again, work it out again
   */
  commit(change: TitleCommit): Promise<boolean>;
  /** The first facts of the outbox by revision, at most `limit`. */
  pendingFacts(limit: number): Promise<TitleFact[]>;
  /** Takes a published fact from the outbox. One that is no longer there is no error. */
  removeFact(revision: number): Promise<void>;
  /** How many facts wait in the outbox. */
  backlog(): Promise<number>;
  /** Rejects when the store can't be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}
