import type { Fact } from '@lobbystats/contracts';
import type { TitleRecord } from './title-record.ts';

/** What changes together or not at all. */
export interface TitleCommit {
  /** The revision that the change was worked out from. */
  readonly expectedRevision: number;
  /** The revision after it: greater than `expectedRevision`, and not less than any of the facts'. */
  readonly revision: number;
  /** Each replaces the record of its title ID. */
  readonly records: readonly TitleRecord[];
  /** Wait in the outbox until they are removed. */
  readonly facts: readonly Fact[];
}

/**
 * Where the titles and their revision live. Several processes may share one store. Texts come back exactly
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
}
