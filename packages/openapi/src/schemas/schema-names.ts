import {
  change,
  gameMetadata,
  operations,
  profile,
  publicEvent,
  recentUnlock,
  socialLink,
} from '@lobbystats/contracts';
import type { z } from 'zod';

const { getLeaderboard, getLeaderboardScores, getOnlineUsers, getProfile, getReputation, getUserAchievements } =
  operations;

export const schemaNames: ReadonlyMap<z.core.$ZodType, string> = new Map<z.core.$ZodType, string>([
  [gameMetadata, 'Game'],
  [getOnlineUsers.response.valueType, 'GameActivity'],
  [getLeaderboard.response.shape.entries.element, 'LeaderboardEntry'],
  [getLeaderboardScores.response.shape.scores.element, 'LeaderboardRow'],
  [change, 'Change'],
  [publicEvent, 'Event'],
  [profile, 'Profile'],
  [socialLink, 'SocialLink'],
  [getProfile.response.shape.newUnlocks.element, 'NewUnlock'],
  [getUserAchievements.response.shape.achievements.element, 'Achievement'],
  [recentUnlock, 'RecentUnlock'],
  [getReputation.response.shape.feedback.element, 'Feedback'],
]);
