import { keyedHash } from '@lobbystats/service-kit';
import { appendToOutbox, type SqliteStore } from '@lobbystats/sqlite-store';
import type { RatedUser } from '../../domain/rated-user.ts';
import type { Rating } from '../../domain/rating.ts';
import type { Change } from '../../domain/reputation-store.ts';
import { readState } from './reputation-reads.ts';

const PUT_USER = 'INSERT OR REPLACE INTO person VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const PUT_RATING = 'INSERT OR REPLACE INTO rating VALUES (?, ?, ?, ?, ?, ?, ?, ?)';

export function writeChange(sqlite: SqliteStore, change: Change): void {
  const { revision, users, removedUsers, ratings, removedRatings, erased, facts } = change;
  sqlite.run('UPDATE reputation SET revision = ?', revision);
  for (const user of users) putUser(sqlite, user);
  for (const key of removedUsers) sqlite.run('DELETE FROM person WHERE user_key = ?', key);
  for (const rating of ratings) putRating(sqlite, rating);
  for (const { profileKey, raterKey } of removedRatings) {
    sqlite.run('DELETE FROM rating WHERE profile_key = ? AND rater_key = ?', profileKey, raterKey);
  }
  if (erased.length > 0) putErasureMarks(sqlite, erased);
  appendToOutbox(sqlite, facts);
}

function putErasureMarks(sqlite: SqliteStore, forgotten: readonly string[]): void {
  const { markKey } = readState(sqlite);
  for (const key of forgotten) {
    sqlite.run('INSERT OR IGNORE INTO forgotten VALUES (?)', keyedHash(markKey, key));
  }
}

function putUser(sqlite: SqliteStore, user: RatedUser): void {
  const { key, username, revision, playerKey, ratingCount, starSum, ratingsGiven, isBarred } = user;
  sqlite.run(PUT_USER, key, username, revision, playerKey, ratingCount, starSum, ratingsGiven, Number(isBarred));
}

function putRating(sqlite: SqliteStore, rating: Rating): void {
  const { profileKey, raterKey, raterUsername, stars, comment, isHidden, counts, createdAt } = rating;
  const flags = [Number(isHidden), Number(counts)];
  sqlite.run(PUT_RATING, profileKey, raterKey, raterUsername, stars, comment, ...flags, createdAt);
}
