// Made by `npm run docs:generate` from packages/contracts: change it there.

/** Of each operation of the chapter "Matches" what it takes and gives. */
export interface MatchesOperations {
  /** Hosts seen in the last hour, each with its latest snapshot, newest first. */
  getMatches: {
    input: { readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string };
    answer: {
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string;
      /** Name of the game, as routes find it; "" while it is unknown */
      readonly gameName: string;
      readonly matches: readonly {
        readonly hostName: string;
        /** In the latest snapshot */
        readonly currentPlayers: number;
        /** How many players the lobby admits; 0 = unknown */
        readonly maxPlayers: number;
        /** An instant, UTC */
        readonly timestamp: string;
      }[];
    };
  };
  /** Matches of the last hours, newest first: a match is a host’s unbroken run of snapshots. */
  getMatchHistory: {
    input: ({ readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string }) & {
      readonly hours?: number | undefined;
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
    };
    answer: {
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string;
      /** Name of the game, as routes find it; "" while it is unknown */
      readonly gameName: string;
      readonly hours: number;
      readonly total: number;
      readonly matches: readonly {
        readonly hostName: string;
        /** In the latest snapshot */
        readonly currentPlayers: number;
        /** How many players the lobby admits; 0 = unknown */
        readonly maxPlayers: number;
        /** An instant, UTC */
        readonly timestamp: string;
        /** An instant, UTC */
        readonly startedAt: string;
        /** An instant, UTC */
        readonly endedAt: string;
        /** Most players of this one match in any snapshot */
        readonly peakPlayers: number;
      }[];
    };
  };
  /** Matches, peak players and unique hosts of the last 24 hours. */
  getMatchStats: {
    input: { readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string };
    answer: {
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string;
      /** Name of the game, as routes find it; "" while it is unknown */
      readonly gameName: string;
      readonly hours: 24;
      /** Matches with a snapshot in these 24 hours */
      readonly totalMatches: number;
      /** Most players in one snapshot, summed over all hosts of the game that were open at once */
      readonly peakPlayers: number;
      /** Different hosts with an open lobby in any snapshot of these 24 hours; each counts once */
      readonly uniqueHosts: number;
    };
  };
  /** One game’s daily statistics by UTC day, today so far included. */
  getDailyStats: {
    input: ({ readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string }) & {
      readonly days?: number | undefined;
      readonly limit?: number | undefined;
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
    };
    answer: {
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string;
      /** Name of the game, as routes find it; "" while it is unknown */
      readonly gameName: string;
      readonly days: number;
      readonly stats: readonly {
        /** A UTC day */
        readonly date: string;
        /** Matches that began on that UTC day, however long they lasted */
        readonly lobby_count: number;
        /** Most players in one snapshot, summed over all hosts of the game that were open at once */
        readonly peak_players: number;
        /** Different hosts with an open lobby in any snapshot of that UTC day; each counts once */
        readonly unique_hosts: number;
        readonly peak_online: number;
        /** At most 2 decimals */
        readonly average_online: number;
      }[];
    };
  };
}

/** Where they are. */
export const matchesRoutes = {
  getMatches: { method: 'GET', path: '/api/title/:titleId/matches', gamePath: '/api/game/:game/matches' },
  getMatchHistory: {
    method: 'GET',
    path: '/api/title/:titleId/matches/history',
    gamePath: '/api/game/:game/matches/history',
    query: ['hours', 'limit', 'offset', 'format'],
  },
  getMatchStats: {
    method: 'GET',
    path: '/api/title/:titleId/matches/stats',
    gamePath: '/api/game/:game/matches/stats',
  },
  getDailyStats: {
    method: 'GET',
    path: '/api/title/:titleId/daily-stats',
    gamePath: '/api/game/:game/daily-stats',
    query: ['days', 'limit', 'format'],
  },
} as const;
