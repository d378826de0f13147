import { keyedHash } from '@lobbystats/service-kit';
import { appendToOutbox, createSqliteOutbox, openSqliteStore, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { RatedUser } from '../ratings/rated-user.ts';
import type { Rating } from '../ratings/rating.ts';
import type { Change, ReputationStore } from '../ratings/reputation-store.ts';
import { reputationMigrations } from './reputation-migrations.sqlite.ts';
import { readBefore, readState, reputationReads } from './reputation-reads.sqlite.ts';

const PUT_USER = 'INSERT OR REPLACE INTO rated_user VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const PUT_RATING = 'INSERT OR REPLACE INTO rating VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

/**
 * Opens the ratings in a SQLite file.
 *
 * @param url `sqlite:PATH` or `sqlite::memory:`
 * @param origin the network of the ratings
 * @param lockTimeoutMs how long to wait for another process that writes to the file
 * @throws StoreRefusedError when the file belongs to another network or newer code
 */
export function openSqliteReputationStore(url: string, origin: string, lockTimeoutMs?: number): ReputationStore {
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'reputation',
    migrations: reputationMigrations,
    // User content can't be derived again.
    durability: 'full',
    secureDelete: true,
    ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
  });
  return {
    ...reputationReads(sqlite),
    change: async (reads, workOut) =>
      sqlite.transaction(() => {
        const { result, change } = workOut(readBefore(sqlite, reads));
        if (change !== undefined) writeChange(sqlite, change);
        return result;
      }),
    outbox: createSqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}

/** Within a transaction, which maps errors. */
function writeChange(sqlite: SqliteStore, change: Change): void {
  const { revision, users, removedUsers, ratings, removedRatings, erased, allowed = [], facts } = change;
  sqlite.prepare('UPDATE reputation SET revision = ?').run(revision);
  for (const user of users) putUser(sqlite, user);
  for (const key of removedUsers) sqlite.prepare('DELETE FROM rated_user WHERE user_key = ?').run(key);
  for (const rating of ratings) putRating(sqlite, rating);
  for (const { profileKey, raterKey } of removedRatings) {
    sqlite.prepare('DELETE FROM rating WHERE profile_key = ? AND rater_key = ?').run(profileKey, raterKey);
  }
  for (const key of erased) {
    sqlite.prepare('INSERT OR IGNORE INTO erased_user VALUES (?)').run(keyedHash(readState(sqlite).markKey, key));
  }
  for (const key of allowed) {
    sqlite.prepare('DELETE FROM erased_user WHERE mark = ?').run(keyedHash(readState(sqlite).markKey, key));
  }
  appendToOutbox(sqlite, facts);
}

function putUser(sqlite: SqliteStore, user: RatedUser): void {
  const { key, username, revision, playerKey, ratingCount, starSum, ratingsGiven, isBarred } = user;
  sqlite
    .prepare(PUT_USER)
    .run(key, username, revision, playerKey, ratingCount, starSum, ratingsGiven, Number(isBarred));
}

function putRating(sqlite: SqliteStore, rating: Rating): void {
  const { profileKey, raterKey, raterUsername, stars, comment, isHidden, counts, createdAt } = rating;
  const flags = [Number(isHidden), Number(counts)];
  const report = [rating.reportedAt, rating.reportReason, rating.reportedComment];
  sqlite.prepare(PUT_RATING).run(profileKey, raterKey, raterUsername, stars, comment, ...flags, createdAt, ...report);
}
