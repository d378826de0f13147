import { usernameKey } from '../primitives/names.ts';

/** Cache tags: facts carry the tags of changed data, operations those of their response; a match invalidates it. */
export const tags = {
  slots: 'slots',
  /** Registered counts and daily statistics. */
  daily: 'daily',
  titles: 'titles',
  title: (titleId: string): string => `title:${titleId}`,
  everyBoard: 'boards',
  boards: (titleId: string): string => `boards:${titleId}`,
  everyChange: 'changes',
  changes: (titleId: string): string => `changes:${titleId}`,
  events: 'events',
  /** Profile, play time and achievements. */
  user: (username: string): string => `user:${usernameKey(username)}`,
  /** Catalog, counts, leaderboard and recent unlocks. */
  achievements: 'achievements',
  reputation: (username: string): string => `reputation:${usernameKey(username)}`,
} as const;
