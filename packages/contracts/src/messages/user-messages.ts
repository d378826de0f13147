import { z } from 'zod';
import { recentUnlock } from '../operations/achievements.ts';
import { count } from '../operations/fields.ts';
import { canonicalUsername, tags } from '../primitives/keys.ts';
import { DAY_SECONDS } from '../primitives/time.ts';
import { messageType } from './message-type.ts';

export const USERS_PER_FACT = 500;

/** Users of the feed that are stored. */
export const USERS_MAX = 1_000_000;
/** A user who has left the feed for this long, without other data, is retired until the feed has the user again. */
export const USER_RETENTION_SECONDS = 30 * DAY_SECONDS;

const gamertag = z.string().max(64);

const userTags = (users: readonly { username: string }[]) => users.map(({ username }) => tags.user(username));

export const userStored = messageType({
  key: 'user.stored',
  exchange: 'facts',
  summary: 'Users who are new, or whose name or gamertag has changed, and users who are no longer known.',
  producer: 'user-api',
  consumers: ['catalog-api', 'reputation-api'],
  data: z.strictObject({
    revision: count.meta({ description: 'Increases with each commit; the highest is current' }),
    users: z
      .array(
        z.strictObject({
          username: canonicalUsername,
          gamertag: gamertag.meta({ description: 'As the network’s feed has it; "" when unknown' }),
        }),
      )
      .max(USERS_PER_FACT),
    retired: z
      .array(canonicalUsername)
      .max(USERS_PER_FACT)
      .optional()
      .meta({ description: 'Not in the feed for 30 days, and nothing else is known; they come back once it has them' }),
  }),
  example: { revision: 12, users: [{ username: 'EmberFox', gamertag: 'Ember Fox' }] },
  tags: ({ users, retired = [] }) => [
    tags.usernames,
    ...userTags(users),
    ...retired.flatMap((username) => [tags.user(username), tags.reputation(username)]),
  ],
});

export const profileUpdated = messageType({
  key: 'profile.updated',
  exchange: 'facts',
  summary: 'A user has changed their profile.',
  producer: 'user-api',
  consumers: [],
  data: z.strictObject({ username: canonicalUsername }),
  example: { username: 'EmberFox' },
  tags: (user) => userTags([user]),
});

export const playtimeCredited = messageType({
  key: 'playtime.credited',
  exchange: 'facts',
  summary: 'Users whose play time or presence has changed.',
  producer: 'user-api',
  consumers: [],
  data: z.strictObject({
    users: z.array(z.strictObject({ username: canonicalUsername, totalMinutes: count })).max(USERS_PER_FACT),
  }),
  example: { users: [{ username: 'EmberFox', totalMinutes: 1285 }] },
  tags: ({ users }) => [tags.presence, ...userTags(users)],
});

export const achievementUnlocked = messageType({
  key: 'achievement.unlocked',
  exchange: 'facts',
  summary:
    'Achievements that users have unlocked, in their public form; none: achievements or their points have changed.',
  producer: 'user-api',
  consumers: ['user-api'],
  data: z.strictObject({ unlocks: z.array(recentUnlock).max(USERS_PER_FACT) }),
  example: {
    unlocks: [
      {
        username: 'EmberFox',
        unlockedAt: '2026-01-31 18:05:00',
        achievementId: 4,
        achievementKey: 'harbor-racing-10h',
        achievementName: 'Ten Hours at Sea (Harbor Racing)',
        gameName: 'Harbor Racing',
        points: 25,
      },
    ],
  },
  tags: ({ unlocks }) => [tags.achievements, ...new Set(userTags(unlocks))],
});

export const userErased = messageType({
  key: 'user.erased',
  exchange: 'facts',
  summary: 'The operators have erased a user: all services remove the data of the user.',
  producer: 'user-api',
  consumers: ['catalog-api', 'reputation-api'],
  purges: true,
  data: z.strictObject({ username: canonicalUsername, gamertag }),
  example: { username: 'EmberFox', gamertag: 'Ember Fox' },
  tags: ({ username }) => [tags.user(username), tags.reputation(username), tags.achievements, tags.usernames],
});

export const userAllowed = messageType({
  key: 'user.allowed',
  exchange: 'facts',
  summary: 'The operators allow an erased user again: services accept the name in later messages and ratings.',
  producer: 'user-api',
  consumers: ['catalog-api', 'reputation-api'],
  data: z.strictObject({ username: canonicalUsername }),
  example: { username: 'EmberFox' },
  tags: (user) => userTags([user]),
});
