import { z } from 'zod';
import { count } from '../operations/fields.ts';
import { tags } from '../operations/tags.ts';
import { canonicalUsername } from '../primitives/names.ts';
import { messageType } from './message-type.ts';
import { USERS_PER_FACT } from './people-messages.ts';

export const ratingStored = messageType({
  key: 'rating.stored',
  version: 1,
  exchange: 'facts',
  summary: 'A profile’s ratings have changed, by all that one commit made of them.',
  producer: 'reputation-api',
  consumers: ['user-api'],
  data: z.strictObject({
    username: canonicalUsername.meta({ description: 'Whose profile' }),
    average: z.number(),
    ratingCount: count,
    raters: z
      .array(z.strictObject({ username: canonicalUsername, ratingsGiven: count }))
      .max(USERS_PER_FACT)
      .meta({
        description: 'Who has rated, and how many profiles they have rated by then; none: ratings were taken away',
      }),
  }),
  example: { username: 'EmberFox', average: 4.82, ratingCount: 7, raters: [{ username: 'Marlow', ratingsGiven: 3 }] },
  tags: ({ username }) => [tags.reputation(username)],
});

const commentVisibility = {
  version: 1,
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
  summary: 'The operators have hidden what a rater comments on a profile, now and later.',
});

export const commentShown = messageType({
  ...commentVisibility,
  key: 'comment.shown',
  summary: 'The operators show again what a rater comments on a profile.',
});

export const raterBarred = messageType({
  key: 'rater.barred',
  version: 1,
  exchange: 'facts',
  summary: 'The operators have barred somebody from rating: none of their ratings counts any more.',
  producer: 'reputation-api',
  consumers: [],
  data: z.strictObject({
    raterUsername: canonicalUsername,
    profiles: z.array(canonicalUsername).max(USERS_PER_FACT).meta({ description: 'Whom they had rated' }),
  }),
  example: { raterUsername: 'Marlow', profiles: ['EmberFox'] },
  tags: ({ profiles }) => profiles.map((username) => tags.reputation(username)),
});
