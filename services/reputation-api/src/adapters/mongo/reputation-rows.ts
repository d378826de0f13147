import type { Person } from '../../domain/person.ts';
import { ratingId, type Rating } from '../../domain/rating.ts';

export interface StateRow {
  _id: 'reputation';
  revision: number;
  turn: number;
  markKey: string;
}

export type PersonRow = Omit<Person, 'key'> & { _id: string };

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
