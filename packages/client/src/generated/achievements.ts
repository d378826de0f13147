// Made by `npm run docs:generate` from packages/contracts: change it there.
import type { RecentUnlock } from './models.ts';

/** Of each operation of the chapter "Achievements" what it takes and gives. */
export interface AchievementsOperations {
  /** All achievements that there are to earn. */
  listAchievements: {
    input: object;
    answer: {
      readonly achievements: readonly {
        readonly id: number;
        /** `hidden-<id>` where it is not to be known which one it is */
        readonly key: string;
        /** `Hidden Achievement` where it is not to be known */
        readonly name: string;
        readonly description: string;
        readonly points: number;
        /** Not told before it is earned */
        readonly is_hidden: boolean;
        /** Title ID, 8 hexadecimal digits */
        readonly game_title_id: string | null;
        /** Its group’s displayName */
        readonly category: string;
        readonly groupId: string;
        readonly unlockedBy: number;
      }[];
      readonly groups: readonly {
        readonly groupId: string;
        /** Title ID, 8 hexadecimal digits */
        readonly titleId: string | null;
        readonly displayName: string;
        readonly imageUrl: string;
        readonly totalCount: number;
        readonly totalPoints: number;
      }[];
      readonly stats: {
        readonly maxGamerscore: number;
        readonly totalAchievements: number;
        readonly playersWithAchievements: number;
      };
    };
  };
  /** Who has the highest score; equal scores share a rank. */
  getAchievementLeaderboard: {
    input: {
      readonly limit?: number | undefined;
      /** The page centred on that person */
      readonly around?: string | undefined;
    };
    answer: {
      readonly leaderboard: readonly {
        readonly rank: number;
        /** Site username, canonical spelling */
        readonly username: string;
        readonly totalScore: number;
        readonly achievementCount: number;
      }[];
    };
  };
  /** Achievements unlocked last, newest first. */
  listRecentUnlocks: {
    input: {
      readonly limit?: number | undefined;
    };
    answer: {
      readonly recent: readonly RecentUnlock[];
    };
  };
}

/** Where they are. */
export const achievementsRoutes = {
  listAchievements: { method: 'GET', path: '/api/achievements' },
  getAchievementLeaderboard: { method: 'GET', path: '/api/achievements/leaderboard', query: ['limit', 'around'] },
  listRecentUnlocks: { method: 'GET', path: '/api/achievements/recent', query: ['limit'] },
} as const;
