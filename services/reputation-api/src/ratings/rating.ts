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
  /** The comment as it was reported; its rater may have changed or removed it since. */
  readonly reportedComment: string | null;
}

export const NO_REPORT = { reportedAt: null, reportReason: null, reportedComment: null } as const;

/** A rating with the name of the rated user. */
export interface NamedRating extends Rating {
  readonly profileUsername: string;
}

/**
 * Replaces a rating that its rater has removed while its comment was hidden or reported: a later one is so as well. It
 * counts nowhere, and only exports contain it.
 */
export function removedRatingMarker(rating: Rating): Rating {
  return { ...rating, stars: 0, comment: null, counts: false, createdAt: 0 };
}

/** Without the marker, a rater could end a hiding or a report by removing the rating for a moment. */
export function needsMarker({ isHidden, reportedAt }: Rating): boolean {
  return isHidden || reportedAt !== null;
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
