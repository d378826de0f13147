import type { EpochSeconds, Fact } from '@lobbystats/contracts';

/** From the homepage. */
export interface HomePart {
  readonly seenAt: EpochSeconds;
  /** Never blank; not unique. */
  readonly name: string;
  readonly image: string;
  readonly publisher: string;
  readonly productCode: string;
}

export interface PagePart {
  readonly seenAt: EpochSeconds;
  readonly title: string;
  readonly publisher: string;
  readonly releaseDate: string;
}

/** Without parts: the title was withdrawn at `changedAt`, and nothing from before returns. */
export interface TitleRecord {
  readonly titleId: string;
  readonly home: HomePart | null;
  readonly page: PagePart | null;
  readonly changedAt: EpochSeconds;
}

export function isWithdrawn({ home, page, changedAt }: TitleRecord, seenAt: EpochSeconds): boolean {
  return home === null && page === null && seenAt <= changedAt;
}

export interface TitleCommit {
  readonly expectedRevision: number;
  /** Above `expectedRevision`, and at least that of the facts. */
  readonly revision: number;
  readonly records: readonly TitleRecord[];
  readonly facts: readonly Fact[];
}

/** Texts have no lone surrogates. Throws AppError `unavailable`. */
export interface TitleStore {
  revision(): Promise<number>;
  read(): Promise<{ revision: number; records: TitleRecord[] }>;
  commit(change: TitleCommit): Promise<boolean>;
}

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
