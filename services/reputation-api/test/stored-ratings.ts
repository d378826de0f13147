import type { Fact } from '@lobbystats/contracts';
import { createRatedUser, type RatedUser } from '../src/ratings/rated-user.ts';
import { NO_REPORT, ratingId, type Rating, type RatingKey } from '../src/ratings/rating.ts';
import type { ReputationStore } from '../src/open-store.ts';
import type { Change, Reads } from '../src/ratings/ledger.queries.ts';

/** Returns a user who can be rated, with the given fields. */
export function ratedUser(key: string, fields: Partial<RatedUser> = {}): RatedUser {
  return { ...createRatedUser(key, key), revision: 1, ...fields };
}

/** Returns a rating of 3 stars, with the given fields. */
export function rating(raterKey: string, profileKey: string, fields: Partial<Rating> = {}): Rating {
  return {
    profileKey,
    raterKey,
    raterUsername: raterKey,
    stars: 3,
    comment: null,
    isHidden: false,
    counts: true,
    createdAt: 1_800_000_000,
    ...NO_REPORT,
    ...fields,
  };
}

/** Returns a fact with the given ID. */
export function fact(id: string): Fact {
  const data = { username: 'EmberFox', average: 5, ratingCount: 0, raters: [], text: '__proto__ \0 🏁' };
  return { type: 'rating.stored', id, occurredAt: 1_800_000_000, past: false, data };
}

const circle: { within?: unknown } = {};
circle.within = circle;
/** A fact that no store can write. */
export const unwritable: Fact = { ...fact('unwritable'), data: circle };

/** Writes a change on the current revision. */
export async function put(store: ReputationStore, change: Partial<Change>): Promise<void> {
  await store.change({}, ({ revision }) => ({
    result: undefined,
    change: {
      revision: revision + 1,
      users: [],
      removedUsers: [],
      ratings: [],
      removedRatings: [],
      erased: [],
      facts: [],
      ...change,
    },
  }));
}

/** Reads the requested users, ratings and erasure marks. */
export async function readBack(store: ReputationStore, { users = [], ratings = [], maybeErased = [] }: Reads) {
  return store.change({ users, ratings, maybeErased }, (before) => ({
    change: undefined,
    result: {
      revision: before.revision,
      people: users.map((key) => before.users.find((user) => user.key === key)),
      ratings: ratings.map((key: RatingKey) => before.ratings.find((rating) => ratingId(rating) === ratingId(key))),
      erased: maybeErased.filter((key) => before.erased.includes(key)),
    },
  }));
}
