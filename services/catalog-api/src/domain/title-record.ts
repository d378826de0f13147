import type { EpochSeconds } from '@lobbystats/contracts';

/** What the network's homepage said of a title, and when it was seen to say so. */
export interface HomePart {
  readonly seenAt: EpochSeconds;
  /** The title's own name; never blank. Other titles may have the same. */
  readonly name: string;
  readonly image: string;
  readonly publisher: string;
}

/** What the title's own page said. Texts are `""` where the page didn't say. */
export interface PagePart {
  readonly seenAt: EpochSeconds;
  readonly title: string;
  readonly publisher: string;
  /** `YYYY-MM-DD`, or `""`. */
  readonly releaseDate: string;
}

/** All that is kept of one title: the latest word of either page. One without a home part has no name and isn't shown. */
export interface TitleRecord {
  readonly titleId: string;
  readonly home: HomePart | null;
  readonly page: PagePart | null;
  /** When what is shown of it last changed; 0 while nothing is. */
  readonly changedAt: EpochSeconds;
}
