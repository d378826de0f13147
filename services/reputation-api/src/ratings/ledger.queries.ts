import type { Fact } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { keyedHash } from '@lobbystats/service-kit';
import type { MongoOutbox, MongoStore } from '@lobbystats/service-kit/mongo';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { StateRow } from '../database/open.mongo.ts';
import type { RatedUser } from './rated-user.ts';
import { ratingId, type Rating, type RatingKey } from './rating.ts';
import {
  ratingOfDocument,
  readRating,
  readUser,
  userOfDocument,
  type RatingDocument,
  type UserDocument,
} from './ratings.queries.ts';

export type LedgerQueries = ReturnType<typeof ledgerInSqlite>;

export interface Reads {
  readonly users?: readonly string[];
  readonly ratings?: readonly RatingKey[];
  /** Keys that may belong to erased users. */
  readonly maybeErased?: readonly string[];
}

export interface Before {
  readonly revision: number;
  readonly users: readonly RatedUser[];
  readonly ratings: readonly Rating[];
  /** Keys. */
  readonly erased: readonly string[];
}

export interface Change {
  readonly revision: number;
  readonly users: readonly RatedUser[];
  readonly removedUsers: readonly string[];
  readonly ratings: readonly Rating[];
  readonly removedRatings: readonly RatingKey[];
  readonly erased: readonly string[];
  /** Users who are no longer erased. Default: none. */
  readonly allowed?: readonly string[];
  readonly facts: readonly Fact[];
}

interface ChangeResult<Result> {
  readonly result: Result;
  readonly change: Change | undefined;
}

const PUT_USER = 'INSERT OR REPLACE INTO rated_user VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const PUT_RATING = 'INSERT OR REPLACE INTO rating VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

/** @param appendFacts within the transaction */
export function ledgerInSqlite(sqlite: SqliteStore, appendFacts: (facts: readonly Fact[]) => void) {
  return {
    /**
     * Reads, computes and writes in one transaction; changes are serialised over processes. `workOut` must be pure: it
     * runs again after a conflict; its errors are rethrown, and nothing changes then.
     *
     * @param _withinMs the timeout in MongoDB; default: some seconds
     */
    change: async <Result>(reads: Reads, workOut: (before: Before) => ChangeResult<Result>, _withinMs?: number) =>
      sqlite.transaction(() => {
        const { result, change } = workOut(readBefore(sqlite, reads));
        if (change !== undefined) {
          writeChange(sqlite, change);
          appendFacts(change.facts);
        }
        return result;
      }),
  };
}

function readBefore(sqlite: SqliteStore, { users = [], ratings = [], maybeErased = [] }: Reads): Before {
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

function readState(sqlite: SqliteStore): { revision: number; markKey: string } {
  const state = sqlite.get<{ revision: number; markKey: string }>(
    'SELECT revision, mark_key AS markKey FROM reputation',
  );
  if (state === undefined) throw new Error('The state row is missing from the store');
  return state;
}

/** Within a transaction, which maps errors. */
function writeChange(sqlite: SqliteStore, change: Change): void {
  const { revision, users, removedUsers, ratings, removedRatings, erased, allowed = [] } = change;
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

export function ledgerInMongo(store: MongoStore, outbox: MongoOutbox) {
  const states = store.collection<StateRow>('reputation');
  return {
    change: (reads, workOut, withinMs = Infinity) => {
      const endMs = performance.now() + withinMs;
      return store.transaction(async (session, storeWants) => {
        // Gives up early, so that abandoned requests don't pile up during an outage.
        const checkDeadline = () => {
          storeWants();
          if (performance.now() >= endMs) throw new AppError('unavailable', 'The store does not answer in time');
        };
        checkDeadline();
        const state = await states.findOneAndUpdate({ _id: 'reputation' }, { $inc: { turn: 1 } }, { session });
        if (state === null)
          throw new Error('The state document is missing: the database was emptied while the service runs');
        checkDeadline();
        const before = await documentsBefore(store, reads, state.markKey, session);
        const { result, change } = workOut({ revision: state.revision, ...before });
        if (change === undefined) return result;
        for (const step of stepsOf(store, outbox, change, state.markKey)) {
          checkDeadline();
          await step(session);
        }
        return result;
      });
    },
  } satisfies LedgerQueries;
}

async function documentsBefore(
  store: MongoStore,
  { users = [], ratings = [], maybeErased = [] }: Reads,
  markKey: string,
  session: ClientSession,
): Promise<Omit<Before, 'revision'>> {
  const byId = async <Row extends { _id: string }>(collection: string, ids: readonly string[]) =>
    ids.length === 0
      ? []
      : store
          .collection<{ _id: string }>(collection)
          .find<Row>({ _id: { $in: [...ids] } }, { session })
          .toArray();
  const userRows = await byId<UserDocument>('rated_user', users);
  const ratingRows = await byId<RatingDocument>('rating', ratings.map(ratingId));
  const keysByMark = new Map(maybeErased.map((key) => [keyedHash(markKey, key), key]));
  const markRows = await byId('erased_user', [...keysByMark.keys()]);
  return {
    users: userRows.map(userOfDocument),
    ratings: ratingRows.map(ratingOfDocument),
    erased: markRows.flatMap(({ _id }) => keysByMark.get(_id) ?? []),
  };
}

interface Row {
  _id: string;
}

type Step = (session: ClientSession) => Promise<unknown>;

function stepsOf(store: MongoStore, outbox: MongoOutbox, change: Change, markKey: string): Step[] {
  const { revision, users, removedUsers, ratings, removedRatings, erased, allowed = [], facts } = change;
  const states = store.collection<StateRow>('reputation');
  const write = (collection: string, writes: AnyBulkWriteOperation<Row>[]): Step[] =>
    writes.length === 0 ? [] : [(session) => store.collection<Row>(collection).bulkWrite(writes, { session })];
  return [
    (session) => states.updateOne({ _id: 'reputation' }, { $set: { revision } }, { session }),
    (session) => outbox.add(facts, session),
    ...write('rated_user', [
      ...users.map(({ key, ...fields }) => replaceRow(key, fields)),
      ...removedUsers.map(removeRow),
    ]),
    ...write('rating', [
      ...ratings.map((rating) => replaceRow(ratingId(rating), rating)),
      ...removedRatings.map((key) => removeRow(ratingId(key))),
    ]),
    ...write('erased_user', [
      ...erased.map((key) => replaceRow(keyedHash(markKey, key), {})),
      ...allowed.map((key) => removeRow(keyedHash(markKey, key))),
    ]),
  ];
}

function replaceRow(_id: string, replacement: object) {
  return { replaceOne: { filter: { _id }, replacement, upsert: true } };
}

function removeRow(_id: string) {
  return { deleteOne: { filter: { _id } } };
}
