import { z } from 'zod';
import { limit } from '../primitives/query.ts';
import { timestamp } from '../primitives/time.ts';
import { titleId } from '../primitives/title-id.ts';
import { canonicalUsername, username } from '../primitives/username.ts';
import { newUnlock } from './achievements.ts';
import { typedPlayer } from './leaderboards.ts';
import { operation } from './operation.ts';
import { boardRow } from './search.ts';
import { tags } from './tags.ts';
import { none } from './title-fields.ts';

const count = z.int().nonnegative();

/** The path parameters of what belongs to one person. */
const userParams = z.object({ username });

/** Bounds of a profile's fields, in characters or in number. */
export const profileBounds = {
  url: 2048,
  bio: 1000,
  gamertag: 15,
  links: 10,
  platform: 32,
  label: 64,
  hue: 359,
} as const;

/** A link of a profile. `platform` is in lower case. */
export const socialLink = z.strictObject({ platform: z.string(), url: z.string(), label: z.string().nullable() });
export type SocialLink = z.output<typeof socialLink>;

/** What a person says of themself, and what is known of their links. Unset texts are "". */
export const profile = z.strictObject({
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

const ofUser = {
  method: 'GET',
  audience: 'public',
  session: 'none',
  params: userParams,
} as const;

/** What user-api alone knows of a person: the gateway puts it together with what others know. */
const ofUserAlone = {
  ...ofUser,
  owner: 'user-api',
  audience: 'internal',
  query: none,
  tags: ({ username }: z.output<typeof userParams>) => [tags.user(username)],
} as const;

const lastState = z.enum(['online', 'offline']);

/** What everybody sees of a person, beside play time and boards. */
const person = {
  username: canonicalUsername,
  profile,
  achievementScore: count,
  achievementCount: count,
  newUnlocks: z.array(newUnlock).meta({ description: 'Of the last 24 hours, newest first' }),
  leaderboardPlayerName: z.string().meta({ description: 'The linked gamertag, else the username' }),
  usesExplicitConsoleLiveGamertag: z.boolean(),
};

export const getProfile = operation({
  ...ofUser,
  id: 'getProfile',
  summary: 'A person’s profile',
  path: '/api/profile/:username',
  owner: 'gateway',
  freshFor: 'never',
  query: none,
  answer: z.strictObject({
    ...person,
    playTime: z.strictObject({
      totalMinutes: count,
      lastState,
      currentGame: z.string().nullable(),
      byGame: z.record(z.string(), count).meta({ description: 'Minutes by game' }),
      lastPlayedGame: z.string().nullable(),
      lastPlayedAt: timestamp.nullable(),
      lastOnlineAt: timestamp.nullable(),
    }),
    leaderboardStats: z.strictObject({ leaderboardsOn: count, top10Count: count }),
  }),
  tags: ({ username }) => [tags.user(username), tags.everyBoard, tags.titles],
});

/** The part of {@link getProfile} that user-api knows. Names of games are those of the feed, for titles that nobody knows. */
export const getUserProfile = operation({
  ...ofUserAlone,
  id: 'getUserProfile',
  summary: 'What user-api knows of a person',
  path: '/internal/user/:username/profile',
  answer: z.strictObject({
    ...person,
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
  ...ofUser,
  id: 'getGamesPlayed',
  summary: 'Games that a person has played, those played longest first; then those of the boards they are on',
  path: '/api/profile/:username/games-played',
  owner: 'gateway',
  query: none,
  answer: z.strictObject({
    games: z.array(
      z.strictObject({
        titleId,
        gameName: z.string(),
        imageUrl: z.string(),
        totalMinutes: count,
        lastPlayedAt: timestamp.nullable(),
      }),
    ),
    count,
    leaderboardSupplement: z.boolean().meta({ description: 'Some are known from leaderboards only' }),
    hasPlayTimeTracking: z.boolean(),
  }),
  tags: ({ username }) => [tags.user(username), tags.everyBoard, tags.titles],
});

/** The part of {@link getGamesPlayed} that user-api knows. */
export const getUserGames = operation({
  ...ofUserAlone,
  id: 'getUserGames',
  summary: 'Titles that a person has played, those played longest first',
  path: '/internal/user/:username/games',
  answer: z.strictObject({
    leaderboardPlayerName: z.string(),
    games: z.array(z.strictObject({ titleId, totalMinutes: count, lastPlayedAt: timestamp })),
    hasPlayTimeTracking: z.boolean(),
  }),
});

const scoresLimit = limit({ max: 50, usual: 10 });

export const getLeaderboardScores = operation({
  ...ofUser,
  id: 'getLeaderboardScores',
  summary: 'Boards that a person is on, best rank first',
  path: '/api/profile/:username/leaderboard-scores',
  owner: 'gateway',
  freshFor: 'never',
  query: z.object({ limit: scoresLimit }),
  answer: z.strictObject({
    playerName: z.string(),
    explicitConsoleLiveGamertag: z.string().nullable(),
    usingSiteUsernameFallback: z.boolean(),
    scores: z.array(boardRow),
  }),
  tags: ({ username }) => [tags.user(username), tags.everyBoard, tags.titles],
});

/** The part of {@link getLeaderboardScores} that user-api knows. */
export const getLeaderboardName = operation({
  ...ofUserAlone,
  id: 'getLeaderboardName',
  summary: 'The name under which a person is looked for on leaderboards',
  path: '/internal/user/:username/leaderboard-name',
  answer: z.strictObject({ playerName: z.string(), explicitConsoleLiveGamertag: z.string().nullable() }),
});

const ofPlayer = {
  ...ofUser,
  owner: 'catalog-api',
  audience: 'internal',
  params: z.object({ player: typedPlayer }),
} as const;

export const getPlayerStanding = operation({
  ...ofPlayer,
  id: 'getPlayerStanding',
  summary: 'On how many boards a player stands, and of which titles; a board counts once, by their best rank',
  path: '/internal/player/:player/standing',
  query: none,
  answer: z.strictObject({ leaderboardsOn: count, top10Count: count, titleIds: z.array(titleId) }),
  tags: () => [tags.everyBoard],
});

export const listPlayerScores = operation({
  ...ofPlayer,
  id: 'listPlayerScores',
  summary: 'A player’s entries, best rank first',
  path: '/internal/player/:player/scores',
  query: z.object({ limit: scoresLimit }),
  answer: z.strictObject({ scores: z.array(boardRow) }),
  tags: () => [tags.everyBoard, tags.titles],
});
