import { operations, type Change, type OperationResponse } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { BOARD } from './catalog-responses.ts';
import { catalogRoutes, HARBOR, network, title } from './network.ts';
import { runGateway, startStubUpstream, type RunningGateway, type StubUpstream } from './running-gateway.ts';

const { listChanges, findNames, searchByTime, searchByPlayers, searchByRanks, listGames } = operations;

export type Suggestion = OperationResponse<typeof operations.suggestNames>['suggestions'][number];
type Entry = OperationResponse<typeof searchByTime>['results'][number];

export const HOSTILE = `"><script>alert(1)</script> \u202Eevil 50%/__proto__`;

export function playerSuggestion(name: string, entries = 1): Suggestion {
  return { type: 'player', name, titleId: null, gameName: null, leaderboardId: null, entries, leaderboards: entries };
}

export function gameSuggestion(name: string, titleId: string): Suggestion {
  return { type: 'game', name, titleId, gameName: name, leaderboardId: null, entries: 3, leaderboards: null };
}

export function boardSuggestion(name: string, leaderboardId: number = BOARD.id): Suggestion {
  return {
    ...{ type: 'leaderboard', name, leaderboardId, entries: 1200 },
    ...{ titleId: HARBOR.titleId, gameName: HARBOR.name, leaderboards: null },
  };
}

const LEADERBOARD = {
  ...{ titleId: HARBOR.titleId, gameName: HARBOR.name },
  ...{ leaderboardId: BOARD.id, leaderboardName: BOARD.name },
};

/** An entry at rank 3 with a time of 0:49.300. */
export function entryOf(playerName: string, fields: Partial<Entry> = {}): Entry {
  const rating = { rating: '00:49.300', timeMs: 49_300, timeFormatted: '0:49.300', isTime: true };
  return { ...LEADERBOARD, ...rating, playerName, rank: 3, ...fields };
}

export interface SearchData {
  readonly suggestions?: readonly Suggestion[];
  /** Whether the suggestions are one letter away from the text. */
  readonly approximate?: boolean;
  /** Entries on two pages. */
  readonly pages?: readonly [readonly Entry[], readonly Entry[]];
  /** The entry that a search by time finds with the greatest tolerance. */
  readonly nearest?: Entry;
  /** The newest ones. */
  readonly records?: readonly Change[];
  readonly env?: Record<string, string>;
}

const SECOND_PAGE = 'second';

/** A gateway whose catalog-api finds these, whatever is searched for. Games are found by any part of their names. */
export async function runSearchGateway({
  suggestions = [],
  approximate = false,
  pages = [[], []],
  nearest,
  records = [],
  env = {},
}: SearchData = {}): Promise<RunningGateway & { readonly found: StubUpstream; readonly bodies: unknown[] }> {
  const known = network({ titles: [HARBOR, title('0000000b', HOSTILE)] });
  const bodies: unknown[] = [];
  const pageOf = (cursor: string | undefined) => {
    const isFirst = cursor !== SECOND_PAGE;
    const results = [...pages[isFirst ? 0 : 1]];
    const hasMore = isFirst && pages[1].length > 0;
    return {
      ...{ results, count: results.length, truncated: hasMore, total: pages.flat().length, limit: 50, hasMore },
      nextCursor: hasMore ? SECOND_PAGE : null,
    };
  };
  const replaced = [
    route(findNames, async ({ query: { limit } }) => ({
      body: {
        suggestions: suggestions.slice(0, limit).map((suggestion) => ({ ...suggestion, match: 0 })),
        approximate,
      },
    })),
    route(listGames, async ({ query: { q, limit, offset } }) => {
      const games = known.titles.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
      return { body: { games: games.slice(0, limit), total: games.length, limit, offset, hasMore: false } };
    }),
    route(listChanges, async ({ query: { limit } }) => ({
      body: {
        ...{ changes: records.slice(0, limit), total: records.length, limit },
        ...{ offset: 0, hasMore: false, nextCursor: null },
      },
    })),
    route(searchByTime, async ({ query: { tolerance, cursor } }) => {
      const near = tolerance === 60_000 && nearest !== undefined ? { results: [nearest], count: 1 } : {};
      return { body: { searchTime: '0:49.000', searchTimeMs: 49_000, tolerance, ...pageOf(cursor), ...near } };
    }),
    route(searchByPlayers, async ({ query: { names, tolerance = null, titleId = null, cursor } }) => ({
      body: { names, tolerance, titleId, ...pageOf(cursor) },
    })),
    route(searchByRanks, async ({ body }) => {
      bodies.push(body);
      const { players, titleId = null } = body;
      const matches = [...pages[0]];
      const results = matches.length === 0 ? [] : [{ ...LEADERBOARD, matchedCount: matches.length, matches }];
      return { body: { players, titleId, results, count: results.length } };
    }),
  ];
  const found = await startStubUpstream(catalogRoutes(known, replaced));
  const gateway = await runGateway({ network: known, env: { CATALOG_API_URL: found.url, ...env } });
  found.requests.length = 0;
  return { ...gateway, found, bodies };
}
