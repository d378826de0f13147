// Made by `npm run docs:generate` from packages/contracts: change it there.
import type { Game } from './models.ts';

/** Of each operation of the chapter "Games" what it takes and gives. */
export interface GamesOperations {
  /** A game’s metadata. */
  getGame: {
    input: { readonly titleId: string } | { /** Name of the game, or a title ID. */ readonly game: string };
    answer: {
      /** Title ID, 8 hexadecimal digits */
      readonly titleId: string;
      /** Name of the game, as routes find it; "" while it is unknown */
      readonly name: string;
      /** Full title, as the game’s own page has it */
      readonly title: string;
      /** URL of its icon, as a browser can reach it */
      readonly image: string;
      /** "" when unknown */
      readonly publisher: string;
      /** YYYY-MM-DD, or "" when unknown */
      readonly releaseDate: string;
    };
  };
  /** All tracked games by name; `q` keeps those whose name or title has it in them. */
  listGames: {
    input: {
      readonly q?: string | undefined;
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
    };
    answer: {
      readonly games: readonly Game[];
      readonly total: number;
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
    };
  };
}

/** Where they are. */
export const gamesRoutes = {
  getGame: { method: 'GET', path: '/api/title/:titleId', gamePath: '/api/game/:game' },
  listGames: { method: 'GET', path: '/api/games', query: ['q', 'limit', 'offset'] },
} as const;
