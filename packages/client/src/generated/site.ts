// Made by `npm run docs:generate` from packages/contracts: change it there.

/** Of each operation of the chapter "Site" what it takes and gives. */
export interface SiteOperations {
  /** Registered users, a count for each UTC day. */
  getDailyRegistered: {
    input: {
      readonly days?: number | undefined;
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
    };
    answer: readonly {
      /** A UTC day */
      readonly date: string;
      readonly registered_count: number;
    }[];
  };
  /** Users online over the last days, a snapshot every five minutes. */
  getOnlineSeries: {
    input: {
      readonly days?: number | undefined;
      readonly resolution?: '30' | '60' | '1440' | 'raw' | undefined;
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
    };
    answer: readonly {
      /** An instant, UTC */
      readonly recorded_at: string;
      readonly online_count: number;
      /** Lowest count of the bucket; absent with `raw` */
      readonly min?: number | undefined;
      /** Highest count of the bucket; absent with `raw` */
      readonly max?: number | undefined;
    }[];
  };
  /** Open lobbies over the last days, a snapshot every five minutes. */
  getLobbySeries: {
    input: {
      readonly days?: number | undefined;
      readonly resolution?: '30' | '60' | '1440' | 'raw' | undefined;
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
    };
    answer: readonly {
      /** An instant, UTC */
      readonly recorded_at: string;
      /** Lobbies that were open at once in that snapshot; with buckets their rounded mean */
      readonly lobby_count: number;
      /** Lowest count of the bucket; absent with `raw` */
      readonly min?: number | undefined;
      /** Highest count of the bucket; absent with `raw` */
      readonly max?: number | undefined;
    }[];
  };
  /** Peaks and totals of the last 24 hours or 7 days. */
  getOnlineSummary: {
    input: {
      readonly period?: 'today' | '7d' | undefined;
    };
    answer: {
      readonly period: 'today' | '7d';
      /** Most users online at once */
      readonly peakOnline: number;
      /** An instant, UTC */
      readonly peakOnlineAt: string | null;
      /** Most open lobbies at once */
      readonly peakLobbies: number;
      /** An instant, UTC */
      readonly peakLobbiesAt: string | null;
      readonly mostPlayedGame: {
        /** Name of the game, as routes find it; "" while it is unknown */
        readonly name: string;
        /** Title ID, 8 hexadecimal digits */
        readonly titleId: string;
        readonly peak: number;
      } | null;
      /** Games that had somebody online */
      readonly gamesWithActivityCount: number;
      /** Snapshots in the period */
      readonly totalSnapshotCount: number;
    };
  };
}

/** Where they are. */
export const siteRoutes = {
  getDailyRegistered: { method: 'GET', path: '/api/service-stats/daily-registered', query: ['days', 'format'] },
  getOnlineSeries: { method: 'GET', path: '/api/service-stats/online-24h', query: ['days', 'resolution', 'format'] },
  getLobbySeries: { method: 'GET', path: '/api/service-stats/lobbies-24h', query: ['days', 'resolution', 'format'] },
  getOnlineSummary: { method: 'GET', path: '/api/online-users/summary', query: ['period'] },
} as const;
