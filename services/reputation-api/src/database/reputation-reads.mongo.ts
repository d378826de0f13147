import type { MongoStore } from '@lobbystats/service-kit/mongo';
import { keyedHash } from '@lobbystats/service-kit';
import type { ClientSession } from 'mongodb';
import type { RatedUser } from '../ratings/rated-user.ts';
import { NO_REPORT, ratingId, type NamedRating, type Rating, type RatingKey } from '../ratings/rating.ts';
import type { Before, Reads, ReputationStore } from '../ratings/reputation-store.ts';

type UserRow = Omit<RatedUser, 'key'> & { _id: string };
/** Older rows have no report, or not the text that was reported. */
type RatingRow = Omit<Rating, keyof typeof NO_REPORT> & Partial<Rating> & { _id: string };

/** Usernames have no slash, and "0" follows it: all `key/…` sort below `key0`. */
const AFTER_SLASH = '0';

export function reputationReads(store: MongoStore) {
  const users = store.collection<UserRow>('rated_user');
  const ratings = store.collection<RatingRow>('rating');
  const keysOnly = { projection: { profileKey: 1, raterKey: 1, _id: 0 } } as const;
  const named = async (rows: readonly RatingRow[], session: ClientSession): Promise<NamedRating[]> => {
    const keys = rows.map(({ profileKey }) => profileKey);
    const found = keys.length === 0 ? [] : await users.find({ _id: { $in: keys } }, { session }).toArray();
    const usernames = new Map(found.map(({ _id, username }) => [_id, username]));
    return rows.flatMap((row) => {
      const profileUsername = usernames.get(row.profileKey);
      return profileUsername === undefined ? [] : [{ ...ratingOf(row), profileUsername }];
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
          profile: userOf(profile),
          feedback: feedback.map(ratingOf),
          own: own === null ? undefined : ratingOf(own),
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
        return (await received.sort({ _id: 1 }).limit(limit).toArray()).map(ratingOf);
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
      return row === null ? undefined : userOf(row);
    },
    reportedRatings: (limit) =>
      store.snapshot(async (session) => {
        const reported = ratings.find({ reportedAt: { $gt: 0 } }, { session });
        return named(await reported.sort({ reportedAt: 1, _id: 1 }).limit(limit).toArray(), session);
      }),
  } satisfies Partial<ReputationStore>;
}

export async function readBefore(
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
  const userRows = await byId<UserRow>('rated_user', users);
  const ratingRows = await byId<RatingRow>('rating', ratings.map(ratingId));
  const keysByMark = new Map(maybeErased.map((key) => [keyedHash(markKey, key), key]));
  const markRows = await byId('erased_user', [...keysByMark.keys()]);
  return {
    users: userRows.map(userOf),
    ratings: ratingRows.map(ratingOf),
    erased: markRows.flatMap(({ _id }) => keysByMark.get(_id) ?? []),
  };
}

function userOf({ _id, ...fields }: UserRow): RatedUser {
  return { key: _id, ...fields };
}

function ratingOf({ _id, ...rating }: RatingRow): Rating {
  return { ...NO_REPORT, ...rating };
}
