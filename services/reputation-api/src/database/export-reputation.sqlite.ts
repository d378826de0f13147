import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { ratingId } from '../ratings/rating.ts';
import {
  USER_COLUMNS,
  userOf,
  RATING_COLUMNS,
  ratingOf,
  type UserRow,
  type RatingRow,
} from './reputation-reads.sqlite.ts';

type ExportedDocument = readonly [collection: string, document: object];

export function* exportReputation(sqlite: SqliteStore): Generator<ExportedDocument> {
  const rows = <Row>(sql: string) => sqlite.prepare(sql).iterate() as IterableIterator<Row>;
  const state = sqlite.get<object>('SELECT revision, 0 AS turn, mark_key AS markKey FROM reputation');
  yield ['reputation', { _id: 'reputation', ...state }];
  for (const row of rows<UserRow>(`SELECT ${USER_COLUMNS} FROM rated_user`)) {
    const { key, ...fields } = userOf(row);
    yield ['rated_user', { _id: key, ...fields }];
  }
  for (const row of rows<RatingRow>(`SELECT ${RATING_COLUMNS} FROM rating`)) {
    const rating = ratingOf(row);
    yield ['rating', { _id: ratingId(rating), ...rating }];
  }
  for (const row of rows<object>('SELECT mark AS _id FROM erased_user')) yield ['erased_user', { ...row }];
}
