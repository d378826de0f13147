import type { RatedUser } from '../../domain/rated-user.ts';
import type { Rating } from '../../domain/rating.ts';

export const USER_COLUMNS = `user_key AS key, username, revision, player_key AS playerKey, rating_count AS ratingCount,
  star_sum AS starSum, ratings_given AS ratingsGiven, barred AS isBarred`;

export const RATING_COLUMNS = `profile_key AS profileKey, rater_key AS raterKey, rater_username AS raterUsername, stars, comment,
  hidden AS isHidden, counts, created_at AS createdAt`;

export interface UserRow extends Omit<RatedUser, 'isBarred'> {
  readonly isBarred: number;
}

export interface RatingRow extends Omit<Rating, 'isHidden' | 'counts'> {
  readonly isHidden: number;
  readonly counts: number;
}

export function userOf({ isBarred, ...row }: UserRow): RatedUser {
  return { ...row, isBarred: isBarred === 1 };
}

export function ratingOf({ isHidden, counts, ...row }: RatingRow): Rating {
  return { ...row, isHidden: isHidden === 1, counts: counts === 1 };
}
