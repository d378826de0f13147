import { formatTimestamp, type EpochSeconds } from '@lobbystats/contracts';

/** Who has rated whom, both by `usernameKey`: there is one rating of each pair at most. */
export interface RatingKey {
  readonly profileKey: string;
  readonly raterKey: string;
}

export interface Rating extends RatingKey {
  /** Canonical spelling. */
  readonly raterUsername: string;
  readonly stars: number;
  readonly comment: string | null;
  /** The operators have hidden the rater's comments on this profile: rating again leaves it so. */
  readonly isHidden: boolean;
  /** Whether it counts and is shown: its rater isn't barred. */
  readonly counts: boolean;
  readonly createdAt: EpochSeconds;
}

/** A rating as everybody may see it, its rater too. */
export function shownRating({ stars, comment, isHidden, createdAt }: Rating) {
  return { stars, comment: isHidden ? null : comment, createdAt: formatTimestamp(createdAt) };
}

/** One text for each pair: no username has a slash. */
export function ratingId({ profileKey, raterKey }: RatingKey): string {
  return `${profileKey}/${raterKey}`;
}
