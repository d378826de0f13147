// Made by `npm run docs:generate` from packages/contracts: change it there.
import type { LeaderboardRow } from './models.ts';

/** Of each operation of the chapter "Search" what it takes and gives. */
export interface SearchOperations {
  /** Entries whose time is near a time, nearest first. */
  searchByTime: {
    input: {
      /** m:ss.mmm */
      readonly time: string;
      readonly tolerance?: number | undefined;
      /** Only of this title; empty is no filter */
      readonly titleId?: string | undefined;
      readonly limit?: number | undefined;
    };
    answer: {
      readonly searchTime: string;
      readonly searchTimeMs: number;
      readonly tolerance: number;
      readonly results: readonly LeaderboardRow[];
      readonly count: number;
      /** There are more than were asked for */
      readonly truncated: boolean;
    };
  };
  /** Entries of up to 20 players; with a tolerance, those that stand within it of each other. */
  searchByPlayers: {
    input: {
      /** 1 to 20 names, separated by commas; empty ones are ignored */
      readonly names: string;
      readonly tolerance?: number | undefined;
      /** Only of this title; empty is no filter */
      readonly titleId?: string | undefined;
      readonly limit?: number | undefined;
    };
    answer: {
      readonly names: readonly string[];
      readonly tolerance: number | null;
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string | null;
      readonly results: readonly LeaderboardRow[];
      readonly count: number;
      readonly truncated: boolean;
    };
  };
  /** Boards on which players stand at given ranks, those with the most first. */
  searchByRanks: {
    input: {
      readonly body: {
        readonly players: readonly {
          readonly playerName: string;
          /** An integer, or the text of one */
          readonly rank: number | string;
        }[];
        /** Only of this title; empty is no filter */
        readonly titleId?: string | undefined;
      };
    };
    answer: {
      readonly players: readonly {
        readonly playerName: string;
        readonly rank: number;
      }[];
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string | null;
      readonly results: readonly {
        /** Title ID, 8 hexadecimal digits */
        readonly titleId: string;
        /** Name of the game, as routes find it; "" while it is unknown */
        readonly gameName: string;
        readonly leaderboardId: number;
        readonly leaderboardName: string;
        readonly matchedCount: number;
        readonly matches: readonly LeaderboardRow[];
      }[];
      readonly count: number;
    };
  };
  /** Every board that a player is on. */
  searchOnePlayer: {
    input: {
      readonly player: string;
    };
    answer: {
      readonly results: readonly {
        /** Place in this answer, from 1 */
        readonly id: number;
        /** Title ID, 8 hexadecimal digits */
        readonly title_id: string;
        /** Name of the game, as routes find it; "" while it is unknown */
        readonly game_name: string;
        readonly leaderboard_id: number;
        readonly leaderboard_name: string;
        readonly rank: number;
      }[];
      readonly count: number;
    };
  };
}

/** Where they are. */
export const searchRoutes = {
  searchByTime: { method: 'GET', path: '/api/search/time', query: ['time', 'tolerance', 'titleId', 'limit'] },
  searchByPlayers: { method: 'GET', path: '/api/search/players', query: ['names', 'tolerance', 'titleId', 'limit'] },
  searchByRanks: { method: 'POST', path: '/api/search/query', hasBody: true },
  searchOnePlayer: { method: 'GET', path: '/api/datasearch/player/:player' },
} as const;
