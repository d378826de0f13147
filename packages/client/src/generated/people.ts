// Made by `npm run docs:generate` from packages/contracts: change it there.
import type { Achievement, Feedback, LeaderboardRow, NewUnlock, Profile } from './models.ts';

/** Of each operation of the chapter "People" what it takes and gives. */
export interface PeopleOperations {
  /** A person’s profile. */
  getProfile: {
    input: {
      /** Site username, in any case */
      readonly username: string;
    };
    answer: {
      /** Site username, canonical spelling */
      readonly username: string;
      readonly profile: Profile;
      readonly achievementScore: number;
      readonly achievementCount: number;
      /** Of the last 24 hours, newest first */
      readonly newUnlocks: readonly NewUnlock[];
      /** The linked gamertag, else the username */
      readonly leaderboardPlayerName: string;
      readonly usesExplicitConsoleLiveGamertag: boolean;
      readonly playTime: {
        readonly totalMinutes: number;
        readonly lastState: 'online' | 'offline';
        readonly currentGame: string | null;
        /** Minutes by game */
        readonly byGame: Readonly<Record<string, number>>;
        readonly lastPlayedGame: string | null;
        /** An instant, UTC */
        readonly lastPlayedAt: string | null;
        /** An instant, UTC */
        readonly lastOnlineAt: string | null;
      };
      readonly leaderboardStats: {
        readonly leaderboardsOn: number;
        readonly top10Count: number;
      };
    };
  };
  /** A person’s achievements: those earned, newest first, and all by group. */
  getUserAchievements: {
    input: {
      /** Site username, in any case */
      readonly username: string;
    };
    answer: {
      readonly score: number;
      readonly achievements: readonly Achievement[];
      readonly groups: readonly {
        readonly groupId: string;
        /** Title ID, 8 hexadecimal digits */
        readonly titleId: string | null;
        readonly displayName: string;
        readonly imageUrl: string;
        readonly unlockedCount: number;
        readonly totalCount: number;
        readonly earnedPoints: number;
        readonly achievements: readonly Achievement[];
      }[];
    };
  };
  /** Games that a person has played, those played longest first; then those of the boards they are on. */
  getGamesPlayed: {
    input: {
      /** Site username, in any case */
      readonly username: string;
    };
    answer: {
      readonly games: readonly {
        /** Title ID, 8 hexadecimal digits */
        readonly titleId: string;
        readonly gameName: string;
        readonly imageUrl: string;
        readonly totalMinutes: number;
        /** An instant, UTC */
        readonly lastPlayedAt: string | null;
      }[];
      readonly count: number;
      /** Some are known from leaderboards only */
      readonly leaderboardSupplement: boolean;
      readonly hasPlayTimeTracking: boolean;
    };
  };
  /** Boards that a person is on, best rank first. */
  getLeaderboardScores: {
    input: {
      /** Site username, in any case */
      readonly username: string;
      readonly limit?: number | undefined;
    };
    answer: {
      readonly playerName: string;
      readonly explicitConsoleLiveGamertag: string | null;
      readonly usingSiteUsernameFallback: boolean;
      readonly scores: readonly LeaderboardRow[];
    };
  };
  /** Changes one’s own profile. */
  updateProfile: {
    input: {
      readonly body: {
        readonly avatar_url?: null | string | undefined;
        readonly avatar_hue?: '' | null | number | undefined;
        readonly discord_profile_url?: null | string | undefined;
        readonly linked_gamertag?: null | string | undefined;
        readonly bio?: null | string | undefined;
        readonly sync_avatar_from_discord?: '' | null | boolean | undefined;
        readonly social_links?:
          | ''
          | null
          | readonly {
              readonly platform: string;
              readonly url: string;
              readonly label?: null | string | undefined;
            }[]
          | undefined;
      };
    };
    answer: {
      readonly success: true;
      readonly profile: Profile;
    };
  };
  /** How a profile is rated; with a session, what the caller has given it. */
  getReputation: {
    input: {
      /** Site username, in any case */
      readonly username: string;
      readonly feedbackLimit?: number | undefined;
    };
    answer: {
      /** (50 + sum of stars) / (10 + ratings), 2 decimals */
      readonly average: number;
      /** Ratings that were given */
      readonly ratingCount: number;
      /** The prior’s 10 included */
      readonly effectiveVotes: number;
      /** Nobody has rated yet */
      readonly priorOnly: boolean;
      /** Newest first */
      readonly feedback: readonly Feedback[];
      /** What the caller has given; null without a session, or without a rating */
      readonly viewer: {
        readonly stars: number;
        readonly comment: string | null;
        /** An instant, UTC */
        readonly createdAt: string;
      } | null;
    };
  };
  /** Rates a profile, or rates it anew. */
  rateProfile: {
    input: {
      /** Site username, in any case */
      readonly username: string;
      readonly body: {
        readonly stars: number;
        readonly comment?: string | null | undefined;
      };
    };
    answer: {
      readonly success: true;
      readonly reputation: {
        /** (50 + sum of stars) / (10 + ratings), 2 decimals */
        readonly average: number;
        /** Ratings that were given */
        readonly ratingCount: number;
        /** The prior’s 10 included */
        readonly effectiveVotes: number;
        /** Nobody has rated yet */
        readonly priorOnly: boolean;
      };
      readonly viewer: {
        readonly stars: number;
        readonly comment: string | null;
        /** An instant, UTC */
        readonly createdAt: string;
      };
    };
  };
}

/** Where they are. */
export const peopleRoutes = {
  getProfile: { method: 'GET', path: '/api/profile/:username' },
  getUserAchievements: { method: 'GET', path: '/api/profile/:username/achievements' },
  getGamesPlayed: { method: 'GET', path: '/api/profile/:username/games-played' },
  getLeaderboardScores: { method: 'GET', path: '/api/profile/:username/leaderboard-scores', query: ['limit'] },
  updateProfile: { method: 'POST', path: '/api/me/profile', takesSession: true, hasBody: true },
  getReputation: {
    method: 'GET',
    path: '/api/profile/:username/reputation',
    query: ['feedbackLimit'],
    takesSession: true,
  },
  rateProfile: { method: 'POST', path: '/api/profile/:username/reputation', takesSession: true, hasBody: true },
} as const;
