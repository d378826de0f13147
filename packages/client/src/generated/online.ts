// Made by `npm run docs:generate` from packages/contracts: change it there.
import type { GameActivity } from './models.ts';

/** Of each operation of the chapter "Online" what it takes and gives. */
export interface OnlineOperations {
  /** Who plays what now: every tracked game, those with nobody online included. */
  getOnlineUsers: {
    input: object;
    answer: Readonly<Record<string, GameActivity>>;
  };
  /** Users online in one game over the last hours. */
  getTitleOnlineHistory: {
    input: ({ readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string }) & {
      readonly hours?: number | undefined;
      readonly resolution?: '30' | '60' | '1440' | 'raw' | undefined;
      /** csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front */
      readonly format?: 'json' | 'csv' | 'ndjson' | undefined;
    };
    answer: {
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string;
      /** Name of the game, as routes find it; "" while it is unknown */
      readonly gameName: string;
      readonly hours: number;
      readonly resolution: '30' | '60' | '1440' | 'raw';
      readonly history: readonly {
        /** An instant, UTC */
        readonly recorded_at: string;
        readonly online_count: number;
        /** Lowest count of the bucket; absent with `raw` */
        readonly min?: number | undefined;
        /** Highest count of the bucket; absent with `raw` */
        readonly max?: number | undefined;
      }[];
    };
  };
}

/** Where they are. */
export const onlineRoutes = {
  getOnlineUsers: { method: 'GET', path: '/api/online-users' },
  getTitleOnlineHistory: {
    method: 'GET',
    path: '/api/title/:titleId/online-users/history',
    gamePath: '/api/game/:game/online-users/history',
    query: ['hours', 'resolution', 'format'],
  },
} as const;
