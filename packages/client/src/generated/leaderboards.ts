// Made by `npm run docs:generate` from packages/contracts: change it there.
import type { Change, LeaderboardEntry } from './models.ts';

/** Of each operation of the chapter "Leaderboards" what it takes and gives. */
export interface LeaderboardsOperations {
  /** How many leaderboards and entries a game has. */
  getTitleStats: {
    input: { readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string };
    answer: {
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string;
      /** Name of the game, as routes find it; "" while it is unknown */
      readonly gameName: string;
      readonly leaderboard_count: number;
      /** Entries of all its boards */
      readonly total_entries: number;
      /** Those that are times */
      readonly time_entries: number;
      /** Those that are scores */
      readonly score_entries: number;
    };
  };
  /** A game’s leaderboards, by id. */
  listLeaderboards: {
    input: { readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string };
    answer: readonly {
      readonly id: number;
      readonly name: string;
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string;
      /** Name of the game, as routes find it; "" while it is unknown */
      readonly gameName: string;
    }[];
  };
  /** A leaderboard in the network’s order, as it stands or as it stood at the end of a day. */
  getLeaderboard: {
    input: ({ readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string }) & {
      readonly leaderboardId: number;
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
      /** The page centred on that player */
      readonly around?: string | undefined;
      /** As it stood at the end of that UTC day */
      readonly at?: string | undefined;
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
    };
    answer: {
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string;
      /** Name of the game, as routes find it; "" while it is unknown */
      readonly gameName: string;
      readonly leaderboardId: string;
      readonly name: string;
      readonly entries: readonly LeaderboardEntry[];
      /** Entries of the whole board */
      readonly total: number;
      /** The last successful reading of the board from the network, whether or not it found a change, UTC; absent for a past day */
      readonly observed_at?: string | undefined;
    };
  };
  /** Changes of leaderboard entries, newest first. */
  listChanges: {
    input: {
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
      readonly type?: 'new' | 'updated' | 'removed' | undefined;
      readonly since?: string | undefined;
      /** `nextCursor` of the page before */
      readonly cursor?: string | undefined;
      /** Greater ids, oldest first */
      readonly after?: number | undefined;
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
      /** Name of a game, or a title ID; empty is no filter */
      readonly game?: string | undefined;
    };
    answer: {
      readonly changes: readonly Change[];
      /** Changes on all pages */
      readonly total: number;
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** Where the next page begins; null on the last */
      readonly nextCursor: string | null;
    };
  };
  /** Changes of one game’s leaderboard entries, newest first. */
  listTitleChanges: {
    input: ({ readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string }) & {
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
      readonly type?: 'new' | 'updated' | 'removed' | undefined;
      readonly since?: string | undefined;
      /** `nextCursor` of the page before */
      readonly cursor?: string | undefined;
      /** Greater ids, oldest first */
      readonly after?: number | undefined;
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
    };
    answer: {
      readonly changes: readonly Change[];
      /** Changes on all pages */
      readonly total: number;
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** Where the next page begins; null on the last */
      readonly nextCursor: string | null;
    };
  };
  /** Names of the games that have at least one change. */
  listChangedGames: {
    input: {
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
    };
    answer: readonly string[];
  };
}

/** Where they are. */
export const leaderboardsRoutes = {
  getTitleStats: { method: 'GET', path: '/api/title/:titleId/stats', gamePath: '/api/game/:game/stats' },
  listLeaderboards: {
    method: 'GET',
    path: '/api/title/:titleId/leaderboards',
    gamePath: '/api/game/:game/leaderboards',
  },
  getLeaderboard: {
    method: 'GET',
    path: '/api/title/:titleId/leaderboard/:leaderboardId',
    gamePath: '/api/game/:game/leaderboard/:leaderboardId',
    query: ['limit', 'offset', 'around', 'at', 'format'],
  },
  listChanges: {
    method: 'GET',
    path: '/api/changes',
    query: ['limit', 'offset', 'type', 'since', 'cursor', 'after', 'format', 'game'],
  },
  listTitleChanges: {
    method: 'GET',
    path: '/api/title/:titleId/changes',
    gamePath: '/api/game/:game/changes',
    query: ['limit', 'offset', 'type', 'since', 'cursor', 'after', 'format'],
  },
  listChangedGames: { method: 'GET', path: '/api/changes/games', query: ['format'] },
} as const;
