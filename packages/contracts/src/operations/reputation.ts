import { z } from 'zod';
import { canonicalUsername, tags, username } from '../primitives/keys.ts';
import { illegibleMessage, isLegible } from '../primitives/plain-text.ts';
import { isTextWithin, limit, offset, optionalOffset } from '../primitives/query.ts';
import { timestamp } from '../primitives/time.ts';
import { count, namedObject, none, optionalPage, page } from './fields.ts';
import { operation } from './operation.ts';

const params = z.object({ username });

export const STARS_MAX = 5;
/** Characters. */
export const COMMENT_MAX = 500;
/** Bayesian average: the prior is this many ratings of this many stars. */
export const PRIOR_VOTES = 10;
export const PRIOR_STARS = 5;

const rating = { stars: z.int().min(1).max(STARS_MAX), comment: z.string().nullable(), createdAt: timestamp };
const viewer = namedObject('OwnRating', rating);

const totals = {
  average: z.number().min(1).max(5).meta({ description: '(50 + sum of stars) / (10 + ratings), 2 decimals' }),
  ratingCount: count.meta({ description: 'Ratings that were given' }),
  effectiveVotes: count.meta({ description: 'The prior’s 10 included' }),
  priorOnly: z.boolean().meta({ description: 'There are no ratings yet' }),
};

const ratingTotals = namedObject('RatingTotals', totals);

export const getReputation = operation({
  id: 'getReputation',
  summary: 'The ratings of a profile; with a session, also the rating by the caller',
  method: 'GET',
  path: '/api/profile/:username/reputation',
  group: 'People',
  upstream: 'reputation-api',
  audience: 'public',
  session: 'optional',
  params,
  description:
    'The ratings of a profile; with a session, also the rating by the caller. With `feedbackOffset`, the answer also has the fields of its page.',
  query: z.object({ feedbackLimit: limit({ max: 30, default: 12 }), feedbackOffset: optionalOffset }),
  response: z.strictObject({
    ...totals,
    feedback: z
      .array(namedObject('Feedback', { raterUsername: canonicalUsername, ...rating }))
      .meta({ description: 'Newest first' }),
    viewer: viewer
      .nullable()
      .meta({ description: 'The rating by the caller; null without a session, or without a rating' }),
    ...optionalPage,
  }),
  tags: [tags.reputation(':username')],
});

const starsMessage = `must be an integer from 1 to ${STARS_MAX}`;
const commentMessage = `must be a text of at most ${COMMENT_MAX} characters`;

const comment = z
  .string({ error: commentMessage })
  .trim()
  .refine((text) => isTextWithin(text, COMMENT_MAX), commentMessage)
  .refine(isLegible, illegibleMessage)
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .default(null);

export const rateProfile = operation({
  id: 'rateProfile',
  summary: 'Rates a profile, or replaces the rating',
  method: 'POST',
  path: getReputation.path,
  group: 'People',
  sample: { body: { stars: 4, comment: 'Fair, and never late.' } },
  upstream: 'reputation-api',
  audience: 'public',
  session: 'required',
  params,
  query: none,
  body: z.strictObject({
    stars: z.int({ error: starsMessage }).min(1, starsMessage).max(STARS_MAX, starsMessage),
    comment,
  }),
  response: namedObject('RatingResult', { success: z.literal(true), reputation: ratingTotals, viewer }),
  errors: {
    403: 'The operators have barred the caller from rating, or the caller’s data have been erased',
    404: 'There is no user with that name',
  },
  tags: [],
});

export const removeRating = operation({
  id: 'removeRating',
  summary: 'Removes one’s own rating of a profile',
  method: 'DELETE',
  path: getReputation.path,
  group: 'People',
  upstream: 'reputation-api',
  audience: 'public',
  session: 'required',
  params,
  query: none,
  response: namedObject('RatingRemoval', { success: z.literal(true), reputation: ratingTotals }),
  errors: { 404: 'There is no user with that name, or the caller has not rated them' },
  tags: [],
});

/** A rating of the caller. */
const givenRating = namedObject('GivenRating', {
  username: canonicalUsername,
  ...rating,
  counts: z.boolean().meta({ description: 'False while the operators bar the caller from rating' }),
});

/** A rating with all fields that are stored, for an export. */
const storedRating = {
  stars: rating.stars.nullable().meta({
    description: 'Null for a rating that its rater has removed after its comment was hidden or reported',
  }),
  comment: rating.comment,
  createdAt: rating.createdAt.nullable().meta({ description: 'Null for a removed rating' }),
  counts: z.boolean().meta({ description: 'False for a removed rating, and for one by a barred rater' }),
  isHidden: z.boolean().meta({ description: 'The operators have hidden the comment' }),
};

const ownAccount = { upstream: 'reputation-api', session: 'required', params: none, tags: [] } as const;

export const listOwnRatings = operation({
  ...ownAccount,
  id: 'listOwnRatings',
  summary: 'The ratings that the caller has given, newest first',
  method: 'GET',
  path: '/api/me/ratings',
  group: 'Account',
  audience: 'public',
  query: z.object({ limit: limit({ max: 100, default: 25 }), offset }),
  response: namedObject('GivenRatingList', { ratings: z.array(givenRating), ...page }),
});

export const reportComment = operation({
  ...ownAccount,
  id: 'reportComment',
  summary: 'Reports a comment on one’s own profile to the operators',
  description:
    'Reports a comment on one’s own profile to the operators. The report keeps the text of the comment, whatever its rater does to it. A repeated report replaces the report. The rater is not notified.',
  method: 'POST',
  path: '/api/me/reports',
  group: 'Account',
  sample: { body: { raterUsername: ':username', reason: 'It was somebody else.' } },
  audience: 'public',
  query: none,
  body: z.strictObject({ raterUsername: username, reason: comment }),
  response: namedObject('ReportResult', { success: z.literal(true) }),
  errors: { 404: 'That user has no visible comment on the profile of the caller' },
});

export const exportRatings = operation({
  ...ownAccount,
  id: 'exportRatings',
  summary: 'The part of an export that reputation-api stores',
  method: 'GET',
  path: '/internal/me/ratings/export',
  audience: 'internal',
  query: none,
  response: z.strictObject({
    isBarred: z.boolean().meta({ description: 'The operators have barred the user from rating' }),
    ...totals,
    given: z.array(z.strictObject({ username: canonicalUsername, ...storedRating })),
    received: z.array(
      z.strictObject({
        raterUsername: canonicalUsername,
        ...storedRating,
        report: z
          .strictObject({
            comment: z.string().nullable().meta({ description: 'As it was reported' }),
            reason: z.string().nullable(),
            reportedAt: timestamp,
          })
          .nullable()
          .meta({ description: 'The open report by the user' }),
      }),
    ),
  }),
});
