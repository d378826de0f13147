import { z } from 'zod';
import { canonicalUsername, titleId } from '../primitives/keys.ts';
import { timestamp } from '../primitives/time.ts';
import { listChannels } from './channels.ts';
import { count, namedObject, none } from './fields.ts';
import { listFollowing, listNotifications } from './following.ts';
import { operation } from './operation.ts';
import { getProfile, getUserProfile, profile } from './profiles.ts';
import { exportRatings } from './reputation.ts';

/** For the verified user of the session. */
const ownAccount = { session: 'required', params: none, query: none, tags: [] } as const;
const ownGet = { ...ownAccount, method: 'GET', audience: 'public', upstream: 'gateway' } as const;
/** user-api's part, which the gateway composes with other services'. */
const ownPart = { ...ownGet, audience: 'internal', upstream: 'user-api' } as const;

/** For a caller who is erased: what they may not do until operators allow the name. */
export const ERASED_MESSAGE = 'Your data have been erased: this name is barred until the operators allow it again';

const errors = { 403: 'The caller’s data have been erased', 404: 'The caller has no profile yet' };

const hiddenFields = { gamertag: z.string().meta({ description: 'As the network’s feed has it; "" when unknown' }) };

export const getMe = operation({
  ...ownGet,
  id: 'getMe',
  summary: 'One’s own profile, with the fields that others do not see',
  description: 'The first call of a caller creates an empty profile.',
  path: '/api/me',
  group: 'Account',
  response: getProfile.response.extend(hiddenFields).meta({ id: 'OwnAccount' }),
  errors,
});

export const getOwnProfile = operation({
  ...ownPart,
  id: 'getOwnProfile',
  summary: 'The part of one’s own profile that user-api stores',
  path: '/internal/me/profile',
  response: getUserProfile.response.extend(hiddenFields),
});

export const getOwnPresence = operation({
  ...ownAccount,
  id: 'getOwnPresence',
  summary: 'Whether the caller is online, and in which game',
  description:
    'As the network’s feed has it. Without a sighting in this 5-minute slot the auth service is asked, once in the slot: a game in which the caller is online then earns play time, also on a network without a feed of users. The session key may be in the body.',
  method: 'POST',
  audience: 'public',
  upstream: 'user-api',
  path: '/api/me/profile-live',
  group: 'Account',
  sample: { body: {} },
  body: z.object({}),
  response: z.strictObject({
    isOnline: z.boolean(),
    game: z.string().nullable().meta({ description: 'As the network names it; null while none is played' }),
  }),
});

export const exportUser = operation({
  ...ownPart,
  id: 'exportUser',
  summary: 'The part of an export that user-api stores',
  path: '/internal/me/export',
  response: z.strictObject({
    username: canonicalUsername,
    profile,
    ...hiddenFields,
    mostRatingsGiven: count.meta({
      description: 'The most users that the caller had rated at one time, which achievements count',
    }),
    achievementScore: count,
    presence: z
      .strictObject({
        at: timestamp,
        isOnline: z.boolean(),
        titleId: titleId.nullable(),
        game: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The last sighting' }),
    playTime: z.array(
      z.strictObject({
        titleId,
        minutes: count,
        lastPlayedAt: timestamp,
        slots: z.array(timestamp).meta({ description: 'Played 5-minute slots of the last 30 days' }),
      }),
    ),
    unlocks: z.array(z.strictObject({ achievementId: z.int().positive(), unlockedAt: timestamp })),
    player: z
      .strictObject({
        ranks: z.array(z.strictObject({ titleId, leaderboardId: z.int(), rank: z.int().positive().nullable() })),
        matchesHosted: count,
        matchEnds: z.array(timestamp).meta({ description: 'When hosted matches of the last 30 days ended' }),
      })
      .nullable()
      .meta({ description: 'Data of the gamertag; null while another user has the same one' }),
    following: listFollowing.response.shape.following,
    quietHours: listFollowing.response.shape.quietHours,
    notifications: listNotifications.response.shape.notifications.meta({ description: 'Also those that wait' }),
    channels: listChannels.response.shape.channels,
  }),
});

export const exportMe = operation({
  ...ownGet,
  id: 'exportMe',
  summary: 'Everything that the site stores about the caller, as one document',
  path: '/api/me/export',
  group: 'Account',
  response: namedObject('AccountExport', { user: exportUser.response, reputation: exportRatings.response }),
  errors,
});

/** How long a confirmation is valid. */
export const CONFIRMATION_SECONDS = 300;

export const eraseMe = operation({
  ...ownAccount,
  id: 'eraseMe',
  summary: 'Erases the caller’s data permanently, after a confirmation',
  description: `The first call erases nothing and returns a \`confirmation\`, which is valid for ${CONFIRMATION_SECONDS / 60} minutes and for this user alone. The second call passes it in the query and erases profile, play time, achievements, and the ratings given and received. The network’s feed does not re-import the user. The name stays barred: the user can still sign in, but all operations under \`/api/me\` that need a profile, and ratings, are 403 until the operators allow the name again. The network’s own leaderboards and matches still show it.`,
  method: 'DELETE',
  audience: 'public',
  upstream: 'user-api',
  path: '/api/me',
  group: 'Account',
  query: z.object({
    confirmation: z
      .string({ error: 'must be given once' })
      .optional()
      .meta({ description: 'The `confirmation` of the first call', maxLength: 100 }),
  }),
  response: namedObject('Erasure', {
    erased: z.boolean(),
    confirmation: z
      .string()
      .nullable()
      .meta({ description: 'Confirms the erasure in a second call; null once erased' }),
    expiresAt: timestamp.nullable().meta({ description: 'When the confirmation expires, UTC' }),
  }),
  errors,
});
