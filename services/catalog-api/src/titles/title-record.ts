import type { EpochSeconds } from '@lobbystats/contracts';

/** From the homepage. */
export interface HomePart {
  readonly seenAt: EpochSeconds;
  /** Never blank; not unique. */
  readonly name: string;
  readonly image: string;
  readonly publisher: string;
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
