import { operations, type Reply } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { notFound, route, type Route } from '@lobbystats/service-kit';
import type { RatingOutcome, Refusal } from '../domain/rate-profiles.ts';
import { ratingView } from '../domain/rating.ts';
import type { Ratings } from '../domain/ratings.ts';
import type { ProfileReading } from '../domain/reputation-store.ts';
import { totalsOf } from '../domain/rated-user.ts';

export function reputationRoutes(ratings: Ratings): Route[] {
  return [
    route(operations.getReputation, async ({ params: { username }, query: { feedbackLimit }, caller }) => {
      const reading = await ratings.read({ username, feedbackLimit, viewer: caller?.username });
      if (reading === undefined) throw notFound('username');
      return readingView(reading);
    }),
    route(operations.rateProfile, async ({ params: { username }, body: { stars, comment }, caller }) => {
      return outcomeView(await ratings.rate({ username, raterUsername: caller.username, stars, comment }));
    }),
  ];
}

const REFUSALS: Readonly<Record<Refusal, () => AppError>> = {
  unknown: () => notFound('username'),
  self: () => new AppError('invalid', "You can't rate yourself"),
  barred: () => new AppError('forbidden', 'You may not rate'),
};

function outcomeView(outcome: RatingOutcome): Reply<typeof operations.rateProfile> {
  if ('refused' in outcome) throw REFUSALS[outcome.refused]();
  const { profile, rating } = outcome;
  return { body: { success: true, reputation: totalsOf(profile), viewer: ratingView(rating) } };
}

function readingView({ profile, feedback, own }: ProfileReading): Reply<typeof operations.getReputation> {
  const [newest] = feedback;
  return {
    body: {
      ...totalsOf(profile),
      feedback: feedback.map((rating) => ({ raterUsername: rating.raterUsername, ...ratingView(rating) })),
      viewer: own === undefined ? null : ratingView(own),
    },
    ...(newest !== undefined && { lastModified: newest.createdAt }),
  };
}
