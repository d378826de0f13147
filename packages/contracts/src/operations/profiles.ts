import { z } from 'zod';
import { canonicalUsername, tags, titleId, username } from '../primitives/keys.ts';
import { limit } from '../primitives/query.ts';
import { date, timestamp } from '../primitives/time.ts';
import { newUnlock } from './achievements.ts';
import { count, namedObject, none, publicGet } from './fields.ts';
import { playerNameParam } from './leaderboards.ts';
import { operation } from './operation.ts';
import { boardRow, SEARCH_ROWS_MAX } from './search.ts';

const userParams = z.object({ username });

/** Maximum characters or numbers. */
export const profileBounds = {
  url: 2048,
  bio: 1000,
  gamertag: 15,
  links: 10,
  platform: 32,
  label: 64,
  hue: 359,
} as const;

/** `platform` is lower case. */
export const socialLink = namedObject('SocialLink', {
  platform: z.string(),
  url: z.string(),
  label: z.string().nullable(),
});
export type SocialLink = z.output<typeof socialLink>;

/** Unset texts are "". */
export const profile = namedObject('Profile', {
  avatar_url: z.string(),
  avatar_hue: z.int().min(0).max(profileBounds.hue).nullable(),
  discord_profile_url: z.string(),
  linked_gamertag: z.string(),
  console_verified: z.boolean().meta({ description: 'As the network says' }),
  bio: z.string(),
  social_links: z.array(socialLink),
  sync_avatar_from_discord: z.boolean(),
  discord_verified: z.boolean().meta({ description: 'The Discord number exists; it does not show whose it is' }),
});
export type Profile = z.output<typeof profile>;

const userGet = {
  ...publicGet,
  params: userParams,
  errors: { 404: 'There is no user with that username. `/api/player/{player}` knows the username of a gamertag' },
} as const;

/** user-api's part, which the gateway composes with other services'. */
const userPart = {
  ...userGet,
  upstream: 'user-api',
  audience: 'internal',
  query: none,
  tags: [tags.user(':username')],
} as const;

const lastState = z.enum(['online', 'offline']);

/** The instant of a timestamp beside it, for clients that read numbers alone. */
function epochSecondsOf(field: string) {
  return count.nullable().meta({ description: `\`${field}\` in seconds since 1970`, example: 1_769_882_700 });
}

/** The play time of a user, from the network's feed. */
const playTimeHead = {
  totalMinutes: count,
  lastState,
  currentGame: z.string().nullable(),
  byGame: z.record(z.string(), count).meta({ description: 'Minutes by game' }),
};

const user = {
  username: canonicalUsername,
  profile,
  achievementScore: count,
  achievementCount: count,
  newUnlocks: z.array(newUnlock).meta({ description: 'Unlocks of the last 24 hours, newest first' }),
  leaderboardPlayerName: z.string().meta({ description: 'The linked gamertag, else the username' }),
  usesExplicitConsoleLiveGamertag: z.boolean(),
};

export const getProfile = operation({
  ...userGet,
  id: 'getProfile',
  summary: 'The profile of a user',
  path: '/api/profile/:username',
  group: 'People',
  errors: {
    404: 'There is no user with that username or gamertag. A player without an account is at `/api/player/{player}`',
  },
  upstream: 'gateway',
  query: none,
  response: namedObject('UserProfile', {
    ...user,
    playTime: namedObject('PlayTime', {
      ...playTimeHead,
      lastPlayedGame: z.string().nullable(),
      lastPlayedAt: timestamp.nullable(),
      lastPlayedTimestamp: epochSecondsOf('lastPlayedAt'),
      lastOnlineAt: timestamp.nullable(),
      lastSeenAt: epochSecondsOf('lastOnlineAt'),
    }),
    leaderboardStats: z.strictObject({ leaderboardsOn: count, top10Count: count }),
  }),
  tags: [tags.user(':username'), tags.everyBoard, tags.titles],
});

export const getPlayTime = operation({
  ...publicGet,
  id: 'getPlayTime',
  summary: 'The play time of a user, as in the profile',
  path: '/api/me/play-time',
  group: 'Account',
  sample: { query: { username: ':username' } },
  upstream: 'gateway',
  params: none,
  query: userParams,
  response: namedObject('OwnPlayTime', {
    ...playTimeHead,
    playTimeRegistered: z.boolean().meta({ description: 'The network’s feed has reported the user' }),
  }),
  errors: { 404: 'There is no user of that name' },
  // The user is in the query: a response that is never stored needs no tag of its own.
  tags: [tags.user(''), tags.titles],
});

/** Game names are from the feed, for titles without metadata. */
export const getUserProfile = operation({
  ...userPart,
  id: 'getUserProfile',
  summary: 'The part of a profile that user-api stores',
  path: '/internal/user/:username/profile',
  response: z.strictObject({
    ...user,
    playTime: z.strictObject({
      totalMinutes: count,
      lastState,
      current: z.strictObject({ titleId, game: z.string() }).nullable(),
      byTitle: z.array(z.strictObject({ titleId, minutes: count })),
      lastPlayedTitleId: titleId.nullable(),
      lastPlayedAt: timestamp.nullable(),
      lastOnlineAt: timestamp.nullable(),
    }),
  }),
});

export const getGamesPlayed = operation({
  ...userGet,
  id: 'getGamesPlayed',
  summary: 'Games that a user has played, longest play time first; then games of their leaderboards',
  path: '/api/profile/:username/games-played',
  group: 'People',
  upstream: 'gateway',
  query: none,
  response: z.strictObject({
    games: z.array(
      namedObject('PlayedGame', {
        titleId,
        gameName: z.string(),
        imageUrl: z.string(),
        totalMinutes: count,
        lastPlayedAt: timestamp.nullable(),
        lastPlayedTimestamp: epochSecondsOf('lastPlayedAt'),
      }),
    ),
    count,
    leaderboardSupplement: z.boolean().meta({ description: 'Some are known from leaderboards only' }),
    hasPlayTimeTracking: z.boolean(),
  }),
  tags: [tags.user(':username'), tags.everyBoard, tags.titles],
});

export const getUserGames = operation({
  ...userPart,
  id: 'getUserGames',
  summary: 'Titles that a user has played, longest play time first',
  path: '/internal/user/:username/games',
  response: z.strictObject({
    leaderboardPlayerName: z.string(),
    games: z.array(z.strictObject({ titleId, totalMinutes: count, lastPlayedAt: timestamp })),
    hasPlayTimeTracking: z.boolean(),
  }),
});

export const listPlayDays = operation({
  ...userPart,
  id: 'listPlayDays',
  summary: 'Play time of a user by UTC day over the last 30 days, days without any left out, ascending',
  path: '/internal/user/:username/play-days',
  response: z.strictObject({ days: z.array(z.strictObject({ date, minutes: count })) }),
});

export const getLeaderboardScores = operation({
  ...userGet,
  id: 'getLeaderboardScores',
  summary: 'Leaderboards with an entry of a user, best rank first',
  path: '/api/profile/:username/leaderboard-scores',
  group: 'People',
  sample: { query: { limit: '3' } },
  upstream: 'gateway',
  query: z.object({ limit: limit({ max: 50, default: 10 }) }),
  response: z.strictObject({
    playerName: z.string(),
    explicitConsoleLiveGamertag: z.string().nullable(),
    usingSiteUsernameFallback: z.boolean(),
    scores: z.array(boardRow),
  }),
  tags: [tags.user(':username'), tags.everyBoard, tags.titles],
});

export const getLeaderboardName = operation({
  ...userPart,
  id: 'getLeaderboardName',
  summary: 'The name by which a user is found on leaderboards',
  path: '/internal/user/:username/leaderboard-name',
  response: z.strictObject({ playerName: z.string(), explicitConsoleLiveGamertag: z.string().nullable() }),
});

const playerGet = {
  ...userGet,
  upstream: 'catalog-api',
  audience: 'internal',
  params: z.object({ player: playerNameParam }),
} as const;

export const getPlayerStanding = operation({
  ...playerGet,
  id: 'getPlayerStanding',
  summary:
    'Number and titles of the leaderboards with an entry of a player; a leaderboard counts once, by the best rank',
  path: '/internal/player/:player/standing',
  query: none,
  response: z.strictObject({ leaderboardsOn: count, top10Count: count, titleIds: z.array(titleId) }),
  tags: [tags.everyBoard],
});

export const listPlayerScores = operation({
  ...playerGet,
  id: 'listPlayerScores',
  summary: 'A player’s entries, best rank first',
  path: '/internal/player/:player/scores',
  query: z.object({ limit: limit({ max: SEARCH_ROWS_MAX, default: 10 }) }),
  response: z.strictObject({ scores: z.array(boardRow) }),
  tags: [tags.everyBoard, tags.titles],
});

/** Looks at the games of the best ranks. */
export const listRivals = operation({
  ...playerGet,
  id: 'listRivals',
  summary: 'Players whose entries have passed those of a player in the last 7 days, newest first',
  path: '/internal/player/:player/rivals',
  query: z.object({ limit: limit({ max: 100, default: 20 }) }),
  response: z.strictObject({
    rivals: z.array(
      boardRow.extend({ passedAt: timestamp, ownRank: z.int().positive(), ownRating: z.string() }).meta({
        description: 'The entry of the rival at `passedAt`, and that of the player now',
      }),
    ),
  }),
  tags: [tags.everyBoard, tags.everyChange, tags.titles],
});
