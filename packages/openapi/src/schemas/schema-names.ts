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
  [getOnlineUsers.answer.valueType, 'GameActivity'],
  [getLeaderboard.answer.shape.entries.element, 'LeaderboardEntry'],
  [getLeaderboardScores.answer.shape.scores.element, 'LeaderboardRow'],
  [change, 'Change'],
  [publicEvent, 'Event'],
  [profile, 'Profile'],
  [socialLink, 'SocialLink'],
  [getProfile.answer.shape.newUnlocks.element, 'NewUnlock'],
  [getUserAchievements.answer.shape.achievements.element, 'Achievement'],
  [recentUnlock, 'RecentUnlock'],
  [getReputation.answer.shape.feedback.element, 'Feedback'],
]);
