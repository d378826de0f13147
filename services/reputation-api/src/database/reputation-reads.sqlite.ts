import { keyedHash } from '@lobbystats/service-kit';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { RatedUser } from '../ratings/rated-user.ts';
import type { NamedRating, Rating, RatingKey } from '../ratings/rating.ts';
import type { Before, Reads, ReputationStore } from '../ratings/reputation-store.ts';

export const USER_COLUMNS = `user_key AS key, username, revision, player_key AS playerKey, rating_count AS ratingCount,
  star_sum AS starSum, ratings_given AS ratingsGiven, barred AS isBarred`;

export const RATING_COLUMNS = `profile_key AS profileKey, rater_key AS raterKey, rater_username AS raterUsername, stars, comment,
  hidden AS isHidden, counts, created_at AS createdAt, reported_at AS reportedAt, report_reason AS reportReason,
  reported_comment AS reportedComment`;
const FEEDBACK = `SELECT ${RATING_COLUMNS} FROM rating WHERE profile_key = ? AND counts = 1
  ORDER BY created_at DESC, rater_username LIMIT ? OFFSET ?`;
const NAMED = `SELECT ${RATING_COLUMNS}, rated_user.username AS profileUsername FROM rating
  JOIN rated_user ON rated_user.user_key = rating.profile_key`;
const BY_RATER = `SELECT profile_key AS profileKey, rater_key AS raterKey FROM rating
  WHERE rater_key = ? AND profile_key > ? ORDER BY profile_key LIMIT ?`;
const OF_PROFILE = `SELECT ${RATING_COLUMNS} FROM rating
  WHERE profile_key = ? AND rater_key > ? ORDER BY rater_key LIMIT ?`;

export function reputationReads(sqlite: SqliteStore) {
  return {
    readProfile: async ({ profileKey, feedbackLimit, feedbackOffset = 0, viewerKey }) =>
      inReadTransaction(sqlite, () => {
        const profile = readUser(sqlite, profileKey);
        if (profile === undefined) return undefined;
        const feedback = sqlite.all<RatingRow>(FEEDBACK, profileKey, feedbackLimit, feedbackOffset).map(ratingOf);
        const own = viewerKey === undefined ? undefined : readRating(sqlite, { profileKey, raterKey: viewerKey });
        return { profile, feedback, own: own?.counts === true ? own : undefined };
      }),
    ratingsBy: async (raterKey, { after = '', limit }) => sqlite.all<RatingKey>(BY_RATER, raterKey, after, limit),
    ratingsOf: async (profileKey, { after = '', limit }) =>
      sqlite.all<RatingRow>(OF_PROFILE, profileKey, after, limit).map(ratingOf),
    namedRatingsBy: async (raterKey, { after = '', limit }) =>
      sqlite
        .all<NamedRow>(
          `${NAMED} WHERE rater_key = ? AND profile_key > ? ORDER BY profile_key LIMIT ?`,
          raterKey,
          after,
          limit,
        )
        .map(namedOf),
    ratingsGiven: async (raterKey, { offset, limit }) =>
      sqlite
        .all<NamedRow>(
          `${NAMED} WHERE rater_key = ? AND created_at > 0 ORDER BY created_at DESC, profile_key LIMIT ? OFFSET ?`,
          raterKey,
          limit,
          offset,
        )
        .map(namedOf),
    readUser: async (key) => readUser(sqlite, key),
    reportedRatings: async (limit) =>
      sqlite
        .all<NamedRow>(
          `${NAMED} WHERE reported_at IS NOT NULL ORDER BY reported_at, profile_key, rater_key LIMIT ?`,
          limit,
        )
        .map(namedOf),
  } satisfies Partial<ReputationStore>;
}

/** A read transaction: another process may write between two statements. */
function inReadTransaction<T>(sqlite: SqliteStore, read: () => T): T {
  sqlite.run('BEGIN');
  try {
    return read();
  } finally {
    if (sqlite.db.isTransaction) sqlite.run('ROLLBACK');
  }
}

export function readBefore(sqlite: SqliteStore, { users = [], ratings = [], maybeErased = [] }: Reads): Before {
  const { revision, markKey } = readState(sqlite);
  const isErased = (key: string) =>
    sqlite.get('SELECT 1 FROM erased_user WHERE mark = ?', keyedHash(markKey, key)) !== undefined;
  return {
    revision,
    users: users.flatMap((key) => readUser(sqlite, key) ?? []),
    ratings: ratings.flatMap((key) => readRating(sqlite, key) ?? []),
    erased: maybeErased.filter(isErased),
  };
}

export function readState(sqlite: SqliteStore): { revision: number; markKey: string } {
  const state = sqlite.get<{ revision: number; markKey: string }>(
    'SELECT revision, mark_key AS markKey FROM reputation',
  );
  if (state === undefined) throw new Error('The state row is missing from the store');
  return state;
}

function readUser(sqlite: SqliteStore, key: string): RatedUser | undefined {
  const row = sqlite.get<UserRow>(`SELECT ${USER_COLUMNS} FROM rated_user WHERE user_key = ?`, key);
  return row && userOf(row);
}

function readRating(sqlite: SqliteStore, { profileKey, raterKey }: RatingKey): Rating | undefined {
  const sql = `SELECT ${RATING_COLUMNS} FROM rating WHERE profile_key = ? AND rater_key = ?`;
  const row = sqlite.get<RatingRow>(sql, profileKey, raterKey);
  return row && ratingOf(row);
}

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

type NamedRow = RatingRow & Pick<NamedRating, 'profileUsername'>;

function namedOf({ profileUsername, ...row }: NamedRow): NamedRating {
  return { ...ratingOf(row), profileUsername };
}
