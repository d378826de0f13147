import { ERASED_MESSAGE, operations, usernameKey, type OperationQuery, type Reply } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { notFound, route, type Route } from '@lobbystats/service-kit';
import type { OwnRatings } from './own-ratings.ts';
import type { RatingQueue, Refusal } from './rate-profiles.ts';
import { ratingView } from './rating.ts';
import type { ProfileReading, RatingQueries } from './ratings.queries.ts';
import { isKnown, totalsOf } from './rated-user.ts';

export function reputationRoutes(store: RatingQueries, ratings: RatingQueue, own: OwnRatings): Route[] {
  return [
    route(operations.getReputation, async ({ params: { username }, query, caller }) => {
      const viewerKey = caller && usernameKey(caller.username);
      const reading = await store.readProfile({ profileKey: usernameKey(username), ...query, viewerKey });
      if (reading === undefined || !isKnown(reading.profile)) throw notFound('username');
      return readingView(reading, query);
    }),
    route(operations.rateProfile, async ({ params: { username }, body: { stars, comment }, caller }) => {
      const raterUsername = caller.username;
      const key = { profileKey: usernameKey(username), raterKey: usernameKey(raterUsername) };
      const outcome = await ratings.add({ ...key, raterUsername, stars, comment });
      if ('refused' in outcome) throw REFUSALS[outcome.refused]();
      const { profile, rating } = outcome;
      return { body: { success: true as const, reputation: totalsOf(profile), viewer: ratingView(rating) } };
    }),
    route(operations.removeRating, async ({ params: { username }, caller }) => {
      const outcome = await own.remove(caller.username, username);
      if (typeof outcome === 'string') throw notFound(outcome === 'unknown' ? 'username' : 'rating');
      return { body: { success: true as const, reputation: totalsOf(outcome) } };
    }),
    route(operations.listOwnRatings, async ({ query, caller }) => {
      const body = await own.given(caller.username, query);
      return { body, next: body.hasMore ? { offset: body.offset + body.limit } : undefined };
    }),
    route(operations.reportComment, async ({ body: { raterUsername, reason }, caller }) => {
      if (!(await own.report(caller.username, { rater: raterUsername, reason }))) throw notFound('comment');
      return { body: { success: true as const } };
    }),
    route(operations.exportRatings, async ({ caller }) => ({ body: await own.export(caller.username) })),
  ];
}

const REFUSALS: Readonly<Record<Refusal, () => AppError>> = {
  unknown: () => notFound('username'),
  self: () => new AppError('invalid', "You can't rate yourself"),
  barred: () => new AppError('forbidden', 'The operators have barred you from rating'),
  erased: () => new AppError('forbidden', ERASED_MESSAGE),
};

function readingView(
  { profile, feedback, own }: ProfileReading,
  { feedbackLimit: limit, feedbackOffset: offset }: OperationQuery<typeof operations.getReputation>,
): Reply<typeof operations.getReputation> {
  const [newest] = feedback;
  const total = profile.ratingCount;
  const hasMore = offset !== undefined && offset + feedback.length < total;
  return {
    body: {
      ...totalsOf(profile),
      feedback: feedback.map((rating) => ({ raterUsername: rating.raterUsername, ...ratingView(rating) })),
      viewer: own === undefined ? null : ratingView(own),
      ...(offset !== undefined && { total, limit, offset, hasMore }),
    },
    ...(hasMore && { next: { feedbackOffset: offset + limit } }),
    ...(newest !== undefined && { lastModified: newest.createdAt }),
  };
}
