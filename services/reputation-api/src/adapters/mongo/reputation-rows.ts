import type { RatedUser } from '../../domain/rated-user.ts';
import { ratingId, type Rating } from '../../domain/rating.ts';

export interface StateRow {
  _id: 'reputation';
  revision: number;
  turn: number;
  markKey: string;
}

export type UserRow = Omit<RatedUser, 'key'> & { _id: string };

export type RatingRow = Rating & { _id: string };

export interface ErasureRow {
  _id: string;
}

export function userOf({ _id, ...fields }: UserRow): RatedUser {
  return { key: _id, ...fields };
}

export function ratingOf({ _id, ...rating }: RatingRow): Rating {
  return rating;
}

export function replaceUser({ key, ...fields }: RatedUser) {
  return { replaceOne: { filter: { _id: key }, replacement: fields, upsert: true } };
}

export function replaceRating(rating: Rating) {
  return { replaceOne: { filter: { _id: ratingId(rating) }, replacement: rating, upsert: true } };
}
