import { formatTimestamp, operations, usernameKey } from '@lobbystats/contracts';
import { notFound, route, type Route } from '@lobbystats/service-kit';
import { NEWEST } from './network.ts';

export interface StoredRating {
  readonly rater: string;
  readonly rated: string;
  readonly stars: number;
  readonly comment: string | null;
  readonly createdAt: string;
}

/** By rater and rated user. */
export type Ratings = Map<string, StoredRating>;

const keyOf = (rater: string, rated: string) => JSON.stringify([usernameKey(rater), usernameKey(rated)]);

export function rateAs(
  ratings: Ratings,
  rater: string,
  rated: string,
  comment: string | null,
  stars = 4,
): StoredRating {
  const rating = { rater, rated, stars, comment, createdAt: formatTimestamp(NEWEST) };
  ratings.set(keyOf(rater, rated), rating);
  return rating;
}

/** A reputation-api in memory, which knows every profile except "Nobody". */
export function ratingRoutes(ratings: Ratings): Route[] {
  const received = (username: string) =>
    [...ratings.values()].filter(({ rated }) => usernameKey(rated) === usernameKey(username));
  const totals = (username: string) => {
    const all = received(username);
    const average = Math.round((100 * all.reduce((sum, { stars }) => sum + stars, 50)) / (10 + all.length)) / 100;
    return { average, ratingCount: all.length, effectiveVotes: 10 + all.length, priorOnly: all.length === 0 };
  };
  const viewerOf = ({ stars, comment, createdAt }: StoredRating) => ({ stars, comment, createdAt });
  return [
    route(operations.getReputation, async ({ params: { username }, query, caller }) => {
      if (username === 'Nobody') throw notFound('username');
      const { feedbackLimit: limit, feedbackOffset: offset } = query;
      const all = received(username);
      const own = caller === undefined ? undefined : ratings.get(keyOf(caller.username, username));
      const feedback = all
        .slice(offset ?? 0, (offset ?? 0) + limit)
        .map((rating) => ({ raterUsername: rating.rater, ...viewerOf(rating) }));
      const page = { total: all.length, limit, offset: offset ?? 0, hasMore: false };
      return {
        body: {
          ...totals(username),
          feedback,
          viewer: own === undefined ? null : viewerOf(own),
          ...(offset !== undefined && page),
        },
      };
    }),
    route(operations.rateProfile, async ({ params: { username }, body: { stars, comment }, caller }) => {
      const rating = rateAs(ratings, caller.username, username, comment, stars);
      return { body: { success: true as const, reputation: totals(username), viewer: viewerOf(rating) } };
    }),
    route(operations.removeRating, async ({ params: { username }, caller }) => {
      if (!ratings.delete(keyOf(caller.username, username))) throw notFound('rating');
      return { body: { success: true as const, reputation: totals(username) } };
    }),
    route(operations.listOwnRatings, async ({ query: { limit, offset }, caller }) => {
      const own = [...ratings.values()].filter(({ rater }) => usernameKey(rater) === usernameKey(caller.username));
      const rows = own.slice(offset, offset + limit);
      const given = rows.map((rating) => ({ username: rating.rated, ...viewerOf(rating), counts: true }));
      const hasMore = offset + limit < own.length;
      return { body: { ratings: given, total: own.length, limit, offset, hasMore } };
    }),
    route(operations.reportComment, async () => ({ body: { success: true as const } })),
    route(operations.exportRatings, async ({ caller }) => ({
      body: { isBarred: false, ...totals(caller.username), given: [], received: [] },
    })),
  ];
}
