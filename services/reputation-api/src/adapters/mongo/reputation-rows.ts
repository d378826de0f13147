import type { Person } from '../../domain/person.ts';
import { ratingId, type Rating } from '../../domain/rating.ts';

/** The one row that every change writes: so two at once are never both made. */
export interface StateRow {
  _id: 'reputation';
  revision: number;
  /** Grows as soon as a change has begun. */
  turn: number;
  markKey: string;
}

export type PersonRow = Omit<Person, 'key'> & { _id: string };

/** `_id`: {@link ratingId}. */
export type RatingRow = Rating & { _id: string };

export interface MarkRow {
  _id: string;
}

export function personOf({ _id, ...fields }: PersonRow): Person {
  return { key: _id, ...fields };
}

export function ratingOf({ _id, ...rating }: RatingRow): Rating {
  return rating;
}

export function replacingPerson({ key, ...fields }: Person) {
  return { replaceOne: { filter: { _id: key }, replacement: fields, upsert: true } };
}

export function replacingRating(rating: Rating) {
  return { replaceOne: { filter: { _id: ratingId(rating) }, replacement: rating, upsert: true } };
}
