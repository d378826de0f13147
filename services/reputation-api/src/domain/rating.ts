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
}

export function ratingView({ stars, comment, isHidden, createdAt }: Rating) {
  return { stars, comment: isHidden ? null : comment, createdAt: formatTimestamp(createdAt) };
}

export function ratingId({ profileKey, raterKey }: RatingKey): string {
  return `${profileKey}/${raterKey}`;
}
