import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { ClientSession } from 'mongodb';
import type { RatedUser } from './rated-user.ts';
import { NO_REPORT, ratingId, type NamedRating, type Rating, type RatingKey } from './rating.ts';

/** They throw AppError `unavailable`. */
export type RatingQueries = ReturnType<typeof ratingsInSqlite>;

export interface ProfileReading {
  readonly profile: RatedUser;
  readonly feedback: readonly Rating[];
  readonly own: Rating | undefined;
}

interface ProfileQuery {
  readonly profileKey: string;
  readonly feedbackLimit: number;
  /** Default: 0. */
  readonly feedbackOffset?: number | undefined;
  readonly viewerKey: string | undefined;
}

interface KeyPage {
  readonly after?: string | undefined;
  readonly limit: number;
}

const USER_COLUMNS = `user_key AS key, username, revision, player_key AS playerKey, rating_count AS ratingCount,
  star_sum AS starSum, ratings_given AS ratingsGiven, barred AS isBarred`;

const RATING_COLUMNS = `profile_key AS profileKey, rater_key AS raterKey, rater_username AS raterUsername, stars, comment,
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

export function ratingsInSqlite(sqlite: SqliteStore) {
  return {
    readProfile: async ({ profileKey, feedbackLimit, feedbackOffset = 0, viewerKey }: ProfileQuery) =>
      inReadTransaction(sqlite, (): ProfileReading | undefined => {
        const profile = readUser(sqlite, profileKey);
        if (profile === undefined) return undefined;
        const feedback = sqlite.all<RatingRow>(FEEDBACK, profileKey, feedbackLimit, feedbackOffset).map(ratingOf);
        const own = viewerKey === undefined ? undefined : readRating(sqlite, { profileKey, raterKey: viewerKey });
        return { profile, feedback, own: own?.counts === true ? own : undefined };
      }),
    ratingsBy: async (raterKey: string, { after = '', limit }: KeyPage) =>
      sqlite.all<RatingKey>(BY_RATER, raterKey, after, limit),
    /** All ratings received, by rater key. */
    ratingsOf: async (profileKey: string, { after = '', limit }: KeyPage) =>
      sqlite.all<RatingRow>(OF_PROFILE, profileKey, after, limit).map(ratingOf),
    /** All ratings given, by profile key, markers of removed ones included. */
    namedRatingsBy: async (raterKey: string, { after = '', limit }: KeyPage) =>
      sqlite
        .all<NamedRow>(
          `${NAMED} WHERE rater_key = ? AND profile_key > ? ORDER BY profile_key LIMIT ?`,
          raterKey,
          after,
          limit,
        )
        .map(namedOf),
    /** Newest first, without markers of removed ones. */
    ratingsGiven: async (raterKey: string, { offset, limit }: { offset: number; limit: number }) =>
      sqlite
        .all<NamedRow>(
          `${NAMED} WHERE rater_key = ? AND created_at > 0 ORDER BY created_at DESC, profile_key LIMIT ? OFFSET ?`,
          raterKey,
          limit,
          offset,
        )
        .map(namedOf),
    readUser: async (key: string) => readUser(sqlite, key),
    /** Ratings with an open report, the oldest report first. */
    reportedRatings: async (limit: number) =>
      sqlite
        .all<NamedRow>(
          `${NAMED} WHERE reported_at IS NOT NULL ORDER BY reported_at, profile_key, rater_key LIMIT ?`,
          limit,
        )
        .map(namedOf),
  };
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

export function readUser(sqlite: SqliteStore, key: string): RatedUser | undefined {
  const row = sqlite.get<UserRow>(`SELECT ${USER_COLUMNS} FROM rated_user WHERE user_key = ?`, key);
  return row && userOf(row);
}

export function readRating(sqlite: SqliteStore, { profileKey, raterKey }: RatingKey): Rating | undefined {
  const sql = `SELECT ${RATING_COLUMNS} FROM rating WHERE profile_key = ? AND rater_key = ?`;
  const row = sqlite.get<RatingRow>(sql, profileKey, raterKey);
  return row && ratingOf(row);
}

interface UserRow extends Omit<RatedUser, 'isBarred'> {
  readonly isBarred: number;
}

interface RatingRow extends Omit<Rating, 'isHidden' | 'counts'> {
  readonly isHidden: number;
  readonly counts: number;
}

function userOf({ isBarred, ...row }: UserRow): RatedUser {
  return { ...row, isBarred: isBarred === 1 };
}

function ratingOf({ isHidden, counts, ...row }: RatingRow): Rating {
  return { ...row, isHidden: isHidden === 1, counts: counts === 1 };
}

type NamedRow = RatingRow & Pick<NamedRating, 'profileUsername'>;

function namedOf({ profileUsername, ...row }: NamedRow): NamedRating {
  return { ...ratingOf(row), profileUsername };
}

type ExportedDocument = readonly [collection: string, document: object];

/** All rows as documents of MongoDB. */
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

export type UserDocument = Omit<RatedUser, 'key'> & { _id: string };
/** Older rows have no report, or not the text that was reported. */
export type RatingDocument = Omit<Rating, keyof typeof NO_REPORT> & Partial<Rating> & { _id: string };

/** Usernames have no slash, and "0" follows it: all `key/…` sort below `key0`. */
const AFTER_SLASH = '0';

export function ratingsInMongo(store: MongoStore) {
  const users = store.collection<UserDocument>('rated_user');
  const ratings = store.collection<RatingDocument>('rating');
  const keysOnly = { projection: { profileKey: 1, raterKey: 1, _id: 0 } } as const;
  const named = async (rows: readonly RatingDocument[], session: ClientSession): Promise<NamedRating[]> => {
    const keys = rows.map(({ profileKey }) => profileKey);
    const found = keys.length === 0 ? [] : await users.find({ _id: { $in: keys } }, { session }).toArray();
    const usernames = new Map(found.map(({ _id, username }) => [_id, username]));
    return rows.flatMap((row) => {
      const profileUsername = usernames.get(row.profileKey);
      return profileUsername === undefined ? [] : [{ ...ratingOfDocument(row), profileUsername }];
    });
  };
  return {
    readProfile: ({ profileKey, feedbackLimit, feedbackOffset = 0, viewerKey }) =>
      store.snapshot(async (session) => {
        const profile = await users.findOne({ _id: profileKey }, { session });
        if (profile === null) return undefined;
        const feedback = await ratings
          .find({ profileKey, counts: true }, { session })
          .sort({ createdAt: -1, raterUsername: 1 })
          .skip(feedbackOffset)
          .limit(feedbackLimit)
          .toArray();
        const id = viewerKey === undefined ? undefined : ratingId({ profileKey, raterKey: viewerKey });
        const own = id === undefined ? null : await ratings.findOne({ _id: id, counts: true }, { session });
        return {
          profile: userOfDocument(profile),
          feedback: feedback.map(ratingOfDocument),
          own: own === null ? undefined : ratingOfDocument(own),
        };
      }),
    ratingsBy: (raterKey, { after = '', limit }) =>
      store.run(() =>
        ratings
          .find<RatingKey>({ raterKey, profileKey: { $gt: after } }, keysOnly)
          .sort({ profileKey: 1 })
          .limit(limit)
          .toArray(),
      ),
    ratingsOf: (profileKey, { after = '', limit }) =>
      store.run(async () => {
        const from = ratingId({ profileKey, raterKey: after });
        const received = ratings.find({ _id: { $gt: from, $lt: `${profileKey}${AFTER_SLASH}` } });
        return (await received.sort({ _id: 1 }).limit(limit).toArray()).map(ratingOfDocument);
      }),
    namedRatingsBy: (raterKey, { after = '', limit }) =>
      store.snapshot(async (session) => {
        const given = ratings.find({ raterKey, profileKey: { $gt: after } }, { session });
        return named(await given.sort({ profileKey: 1 }).limit(limit).toArray(), session);
      }),
    ratingsGiven: (raterKey, { offset, limit }) =>
      store.snapshot(async (session) => {
        const given = ratings.find({ raterKey, createdAt: { $gt: 0 } }, { session });
        return named(await given.sort({ createdAt: -1, profileKey: 1 }).skip(offset).limit(limit).toArray(), session);
      }),
    readUser: async (key) => {
      const row = await store.run(() => users.findOne({ _id: key }));
      return row === null ? undefined : userOfDocument(row);
    },
    reportedRatings: (limit) =>
      store.snapshot(async (session) => {
        const reported = ratings.find({ reportedAt: { $gt: 0 } }, { session });
        return named(await reported.sort({ reportedAt: 1, _id: 1 }).limit(limit).toArray(), session);
      }),
  } satisfies RatingQueries;
}

export function userOfDocument({ _id, ...fields }: UserDocument): RatedUser {
  return { key: _id, ...fields };
}

export function ratingOfDocument({ _id, ...rating }: RatingDocument): Rating {
  return { ...NO_REPORT, ...rating };
}
