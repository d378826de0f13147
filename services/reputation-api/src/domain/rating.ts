import { formatTimestamp, type EpochSeconds } from '@lobbystats/contracts';

export interface RatingKey {
  readonly profileKey: string;
  readonly raterKey: string;
}

export interface Rating extends RatingKey {
  readonly raterUsername: string;
  readonly stars: number;
  readonly comment: string | null;
  readonly isHidden: boolean;
  /** False for a barred rater. */
  readonly counts: boolean;
  readonly createdAt: EpochSeconds;
  /** Time of the open report by the rated user; null without one. */
  readonly reportedAt: EpochSeconds | null;
  readonly reportReason: string | null;
}

export const NO_REPORT = { reportedAt: null, reportReason: null } as const;

/** A rating with the name of the rated user. */
export interface NamedRating extends Rating {
  readonly profileUsername: string;
}

/**
 * The rest of a rating that its rater has removed while its comment was hidden: a later one must be hidden as well. It is
 * in no list.
 */
export function hiddenRest(rating: Rating): Rating {
  return { ...rating, ...NO_REPORT, stars: 0, comment: null, counts: false, createdAt: 0 };
}

export function isGiven(rating: Rating | undefined): rating is Rating {
  return rating !== undefined && rating.stars > 0;
}

export function ratingView({ stars, comment, isHidden, createdAt }: Rating) {
  return { stars, comment: isHidden ? null : comment, createdAt: formatTimestamp(createdAt) };
}

export function ratingId({ profileKey, raterKey }: RatingKey): string {
  return `${profileKey}/${raterKey}`;
}
