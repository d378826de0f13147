import { z } from 'zod';
import { count } from '../operations/fields.ts';
import { canonicalUsername, tags } from '../primitives/keys.ts';
import { messageType } from './message-type.ts';
import { USERS_PER_FACT } from './user-messages.ts';

export const ratingStored = messageType({
  key: 'rating.stored',
  exchange: 'facts',
  summary: 'The ratings of a profile have changed in one commit.',
  producer: 'reputation-api',
  consumers: ['user-api'],
  data: z.strictObject({
    username: canonicalUsername.meta({ description: 'The rated user' }),
    average: z.number(),
    ratingCount: count,
    raters: z
      .array(z.strictObject({ username: canonicalUsername, ratingsGiven: count }))
      .max(USERS_PER_FACT)
      .meta({
        description: 'The raters and the number of profiles that each has rated; none: ratings were removed',
      }),
  }),
  example: { username: 'EmberFox', average: 4.82, ratingCount: 7, raters: [{ username: 'Marlow', ratingsGiven: 3 }] },
  tags: ({ username }) => [tags.reputation(username)],
});

const commentVisibility = {
  exchange: 'facts',
  producer: 'reputation-api',
  consumers: [],
  data: z.strictObject({ raterUsername: canonicalUsername, username: canonicalUsername }),
  example: { raterUsername: 'Marlow', username: 'EmberFox' },
  tags: ({ username }: { username: string }) => [tags.reputation(username)],
} as const;

export const commentHidden = messageType({
  ...commentVisibility,
  key: 'comment.hidden',
  summary: 'The operators have hidden the comments of a rater on a profile, present and future.',
  purges: true,
});

export const commentShown = messageType({
  ...commentVisibility,
  key: 'comment.shown',
  summary: 'The operators show the comments of a rater on a profile again.',
});

export const raterBarred = messageType({
  key: 'rater.barred',
  exchange: 'facts',
  summary: 'The operators have barred a user from rating: none of their ratings counts any more.',
  producer: 'reputation-api',
  consumers: [],
  purges: true,
  data: z.strictObject({
    raterUsername: canonicalUsername,
    profiles: z.array(canonicalUsername).max(USERS_PER_FACT).meta({ description: 'The users that they had rated' }),
  }),
  example: { raterUsername: 'Marlow', profiles: ['EmberFox'] },
  tags: ({ profiles }) => profiles.map((username) => tags.reputation(username)),
});
