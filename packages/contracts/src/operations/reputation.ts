import { z } from 'zod';
import { canonicalUsername, tags, username } from '../primitives/keys.ts';
import { isTextWithin, limit } from '../primitives/query.ts';
import { timestamp } from '../primitives/time.ts';
import { count, none } from './fields.ts';
import { operation } from './operation.ts';

const params = z.object({ username });

/** Characters. */
export const COMMENT_MAX = 500;
/** Bayesian average: the prior is this many ratings of this many stars. */
export const PRIOR_VOTES = 10;
export const PRIOR_STARS = 5;

const rating = { stars: z.int().min(1).max(5), comment: z.string().nullable(), createdAt: timestamp };
const viewer = z.strictObject(rating);

const totals = {
  average: z.number().min(1).max(5).meta({ description: '(50 + sum of stars) / (10 + ratings), 2 decimals' }),
  ratingCount: count.meta({ description: 'Ratings that were given' }),
  effectiveVotes: count.meta({ description: 'The prior’s 10 included' }),
  priorOnly: z.boolean().meta({ description: 'There are no ratings yet' }),
};

export const getReputation = operation({
  id: 'getReputation',
  summary: 'The ratings of a profile; with a session, also the rating by the caller',
  method: 'GET',
  path: '/api/profile/:username/reputation',
  upstream: 'reputation-api',
  audience: 'public',
  session: 'optional',
  freshFor: 'never',
  params,
  query: z.object({ feedbackLimit: limit({ max: 30, default: 12 }) }),
  response: z.strictObject({
    ...totals,
    feedback: z
      .array(z.strictObject({ raterUsername: canonicalUsername, ...rating }))
      .meta({ description: 'Newest first' }),
    viewer: viewer
      .nullable()
      .meta({ description: 'The rating by the caller; null without a session, or without a rating' }),
  }),
  tags: ({ username }) => [tags.reputation(username)],
});

const starsMessage = 'must be an integer from 1 to 5';
const commentMessage = `must be a text of at most ${COMMENT_MAX} characters`;

export const rateProfile = operation({
  id: 'rateProfile',
  summary: 'Rates a profile, or replaces the rating',
  method: 'POST',
  path: getReputation.path,
  upstream: 'reputation-api',
  audience: 'public',
  session: 'required',
  params,
  query: none,
  body: z.strictObject({
    stars: z.int({ error: starsMessage }).min(1, starsMessage).max(5, starsMessage),
    comment: z
      .string({ error: commentMessage })
      .trim()
      .refine((text) => isTextWithin(text, COMMENT_MAX), commentMessage)
      .transform((text) => (text === '' ? null : text))
      .nullable()
      .default(null),
  }),
  response: z.strictObject({ success: z.literal(true), reputation: z.strictObject(totals), viewer }),
  errors: { 403: 'The operators have barred the caller from rating', 404: 'There is no user with that name' },
  tags: () => [],
});
