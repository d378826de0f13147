import { z } from 'zod';
import { canonicalUsername, NUMBER_MAX, tags, titleId, username } from '../primitives/keys.ts';
import { integer, limit, optionalOffset } from '../primitives/query.ts';
import { timestamp } from '../primitives/time.ts';
import { count, namedObject, none, optionalPage, publicGet } from './fields.ts';
import { aroundExcluded } from './leaderboards.ts';
import { operation } from './operation.ts';

const achievementId = z.int().positive();
const key = z.string().meta({ description: '`hidden-<id>` where it is not to be known which one it is' });
const groupId = z.string();

export const newUnlock = namedObject('NewUnlock', {
  id: achievementId,
  key,
  name: z.string(),
  points: count,
  unlocked_at: timestamp,
});

const achievementFields = {
  id: achievementId,
  key,
  name: z.string().meta({ description: '`Hidden Achievement` where it is not to be known' }),
  description: z.string(),
  picture: z.string().optional().meta({ description: 'Path of its own picture on this site, if it has one' }),
  points: count,
  is_hidden: z.boolean().meta({ description: 'Not told before it is earned' }),
  game_title_id: titleId.nullable(),
  category: z.string().meta({ description: 'The displayName of the group' }),
};

const group = { groupId, titleId: titleId.nullable(), displayName: z.string(), imageUrl: z.string() };

/** `revealed_…` are set for a hidden achievement that the user has earned. */
const userAchievement = namedObject('Achievement', {
  ...achievementFields,
  earned: z.boolean(),
  unlocked_at: timestamp.nullable(),
  revealed_name: z.string().optional(),
  revealed_description: z.string().optional(),
});
export type UserAchievement = z.output<typeof userAchievement>;

export const getUserAchievements = operation({
  ...publicGet,
  id: 'getUserAchievements',
  summary: 'The achievements of a user: unlocked ones, newest first, and all by group',
  path: '/api/profile/:username/achievements',
  group: 'People',
  upstream: 'user-api',
  params: z.object({ username }),
  query: none,
  response: z.strictObject({
    score: count,
    achievements: z.array(userAchievement),
    groups: z.array(
      namedObject('UserAchievementGroup', {
        ...group,
        unlockedCount: count,
        totalCount: count,
        earnedPoints: count,
        achievements: z.array(userAchievement),
      }),
    ),
  }),
  tags: [tags.user(':username'), tags.achievements],
});

const catalog = {
  ...publicGet,
  upstream: 'user-api',
  params: none,
  tags: [tags.achievements],
} as const;

export const listAchievements = operation({
  ...catalog,
  id: 'listAchievements',
  summary: 'All achievements',
  path: '/api/achievements',
  group: 'Achievements',
  query: none,
  response: namedObject('AchievementCatalog', {
    achievements: z.array(namedObject('CatalogAchievement', { ...achievementFields, groupId, unlockedBy: count })),
    groups: z.array(namedObject('AchievementGroup', { ...group, totalCount: count, totalPoints: count })),
    stats: z.strictObject({ maxGamerscore: count, totalAchievements: count, playersWithAchievements: count }),
  }),
});

export const getAchievementLeaderboard = operation({
  ...catalog,
  id: 'getAchievementLeaderboard',
  summary: 'Users by achievement score; equal scores share a rank',
  description:
    'Users by achievement score; equal scores share a rank. With `offset`, the answer also has the fields of its page.',
  errors: { 404: 'There is no user with the name in `around`' },
  path: '/api/achievements/leaderboard',
  group: 'Achievements',
  sample: { query: { limit: '3' } },
  query: z
    .object({
      limit: limit({ max: 100, default: 25 }),
      offset: optionalOffset,
      around: username.optional().meta({ description: `The page centred on that user. ${aroundExcluded.text}` }),
    })
    .superRefine(aroundExcluded.check),
  response: z.strictObject({
    leaderboard: z.array(
      namedObject('AchievementRank', {
        rank: z.int().positive(),
        username: canonicalUsername,
        totalScore: count,
        achievementCount: count,
      }),
    ),
    ...optionalPage,
  }),
});

/** Public: hidden achievements are anonymized. */
export const recentUnlock = namedObject('RecentUnlock', {
  username: canonicalUsername,
  unlockedAt: timestamp,
  achievementId,
  achievementKey: key,
  achievementName: z.string().meta({ description: 'With the game’s label; `Hidden Achievement` for a hidden one' }),
  gameName: z.string().meta({ description: '"" for a hidden one, and for one of no game' }),
  points: count.meta({ description: '0 for a hidden one' }),
});
export type RecentUnlock = z.output<typeof recentUnlock>;

export const listRecentUnlocks = operation({
  ...catalog,
  id: 'listRecentUnlocks',
  summary: 'Achievements unlocked last, newest first',
  path: '/api/achievements/recent',
  group: 'Achievements',
  sample: { query: { limit: '3' } },
  description: 'Achievements unlocked last, newest first. With `offset`, the answer also has the fields of its page.',
  query: z.object({
    limit: limit({ max: 100, default: 10 }),
    offset: optionalOffset,
    achievement: integer({ min: 1, max: NUMBER_MAX }).optional().meta({ description: 'Id: only unlocks of that one' }),
  }),
  response: namedObject('RecentUnlockList', { recent: z.array(recentUnlock), ...optionalPage }),
});
