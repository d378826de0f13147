import type { EpochSeconds } from '@lobbystats/contracts';

interface TitleContents {
  readonly boards: number;
  readonly changes: number;
}

/** Contents of titles besides their records. Every method may be repeated. Throws AppError `unavailable`. */
export interface TitleContentStore {
  count(titleId: string): Promise<TitleContents>;
  /** Removes the icon, and leaderboards with entries, versions and changes, of a title. No facts are written. */
  remove(titleId: string): Promise<void>;
  /** Changes of a range of time. */
  countChanges(range: ChangeRange): Promise<number>;
  /** Removes them from the log; leaderboards and their versions stay. Returns their number. No facts are written. */
  removeChanges(range: ChangeRange): Promise<number>;
}

export interface ChangeRange {
  readonly fromInclusive: EpochSeconds;
  readonly toExclusive: EpochSeconds;
}
