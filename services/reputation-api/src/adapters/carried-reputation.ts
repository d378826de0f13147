import type { SqliteStore } from '@lobbystats/sqlite-store';
import { ratingId } from '../domain/rating.ts';
import { PERSON, personOf, RATING, ratingOf, type PersonRow, type RatingRow } from './sqlite/reputation-rows.ts';

type CarriedDocument = readonly [collection: string, document: object];

export function* carriedReputation(sqlite: SqliteStore): Generator<CarriedDocument> {
  const rows = <Row>(sql: string) => sqlite.prepare(sql).iterate() as IterableIterator<Row>;
  const state = sqlite.get<object>('SELECT revision, 0 AS turn, mark_key AS markKey FROM reputation');
  yield ['reputation', { _id: 'reputation', ...state }];
  for (const row of rows<PersonRow>(`SELECT ${PERSON} FROM person`)) {
    const { key, ...fields } = personOf(row);
    yield ['person', { _id: key, ...fields }];
  }
  for (const row of rows<RatingRow>(`SELECT ${RATING} FROM rating`)) {
    const rating = ratingOf(row);
    yield ['rating', { _id: ratingId(rating), ...rating }];
  }
  for (const row of rows<object>('SELECT mark AS _id FROM forgotten')) yield ['forgotten', { ...row }];
}
