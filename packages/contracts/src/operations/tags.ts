import { usernameKey } from '../primitives/username.ts';

/**
 * Cache tags: the joint between a fact and the answers that it makes stale. A fact bears the tags of what it changed, an
 * operation those of what it shows.
 */
export const tags = {
  /** The newest slot: everything that is counted every five minutes. */
  slots: 'slots',
  /** Registered counts and daily statistics. */
  daily: 'daily',
  /** The set of titles and their names. */
  titles: 'titles',
  /** One title's own data. */
  title: (titleId: string): string => `title:${titleId}`,
  /** Any title's leaderboards. */
  everyBoard: 'boards',
  /** One title's leaderboards. */
  boards: (titleId: string): string => `boards:${titleId}`,
  /** Any title's leaderboard changes. */
  everyChange: 'changes',
  /** One title's leaderboard changes. */
  changes: (titleId: string): string => `changes:${titleId}`,
  events: 'events',
  /** One person's profile, play time and achievements. */
  user: (username: string): string => `user:${usernameKey(username)}`,
  /** The catalog of achievements, its counts, the leaderboard and recent unlocks. */
  achievements: 'achievements',
  /** Ratings of one profile. */
  reputation: (username: string): string => `reputation:${usernameKey(username)}`,
} as const;
