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

export interface TitleRecord {
  readonly titleId: string;
  readonly home: HomePart | null;
  readonly page: PagePart | null;
  readonly changedAt: EpochSeconds;
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
