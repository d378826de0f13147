import type { MongoStore } from '@lobbystats/mongo-store';
import { keyedHash } from '@lobbystats/service-kit';
import type { ClientSession } from 'mongodb';
import type { RatedUser } from '../../domain/rated-user.ts';
import { ratingId, type Rating, type RatingKey } from '../../domain/rating.ts';
import type { Before, Reads, ReputationStore } from '../../domain/reputation-store.ts';

type UserRow = Omit<RatedUser, 'key'> & { _id: string };
type RatingRow = Rating & { _id: string };

/** Usernames have no slash, and "0" follows it: all `key/…` sort below `key0`. */
const AFTER_SLASH = '0';

export function reputationReads(store: MongoStore) {
  const users = store.collection<UserRow>('person');
  const ratings = store.collection<RatingRow>('rating');
  const keysOnly = { projection: { profileKey: 1, raterKey: 1, _id: 0 } } as const;
  return {
    readProfile: ({ profileKey, feedbackLimit, viewerKey }) =>
      store.snapshot(async (session) => {
        const profile = await users.findOne({ _id: profileKey }, { session });
        if (profile === null) return undefined;
        const feedback = await ratings
          .find({ profileKey, counts: true }, { session })
          .sort({ createdAt: -1, raterUsername: 1 })
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
      store.run(() => {
        const from = ratingId({ profileKey, raterKey: after });
        return ratings
          .find<RatingKey>({ _id: { $gt: from, $lt: `${profileKey}${AFTER_SLASH}` } }, keysOnly)
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
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
  const userRows = await byId<UserRow>('person', users);
  const ratingRows = await byId<RatingRow>('rating', ratings.map(ratingId));
  const keysByMark = new Map(maybeErased.map((key) => [keyedHash(markKey, key), key]));
  const markRows = await byId('forgotten', [...keysByMark.keys()]);
  return {
    users: new Map(userRows.map((row) => [row._id, userOf(row)])),
    ratings: new Map(ratingRows.map((row) => [row._id, ratingOf(row)])),
    erased: new Set(markRows.flatMap(({ _id }) => keysByMark.get(_id) ?? [])),
  };
}

function userOf({ _id, ...fields }: UserRow): RatedUser {
  return { key: _id, ...fields };
}

function ratingOf({ _id, ...rating }: RatingRow): Rating {
  return rating;
}
