import { nameKey, operations, SEARCH_ROWS_MAX, type OperationResponse } from '@lobbystats/contracts';
import type { Values } from '../../links.ts';
import type { PageData } from '../../page.ts';

const { searchByPlayers } = operations;

/** Operations that {@link askCommonBoards} asks. */
export const commonBoardsOperations = [searchByPlayers] as const;

export type Entry = OperationResponse<typeof searchByPlayers>['results'][number];

/** A leaderboard with entries of both players. */
export interface CommonBoard extends Pick<Entry, 'titleId' | 'gameName' | 'leaderboardId' | 'leaderboardName'> {
  /** The best one of each player. */
  readonly entries: readonly [Entry, Entry];
  /** Index of the player with the better rank; undefined for equal ranks. */
  readonly ahead: 0 | 1 | undefined;
}

/** By title ID, then leaderboard. Undefined: unavailable. */
export async function askCommonBoards(
  names: readonly [string, string],
  data: PageData,
): Promise<readonly CommonBoard[] | undefined> {
  const rows = await askAll(names, data);
  if (rows === undefined) return undefined;
  const boards = Map.groupBy(rows, ({ titleId, leaderboardId }) => `${titleId} ${leaderboardId}`);
  return [...boards.values()].flatMap((entries) => {
    const [a, b] = names.map((player) => entries.find(({ playerName }) => nameKey(playerName) === nameKey(player)));
    return a === undefined || b === undefined ? [] : [commonBoard(a, b)];
  });
}

async function askAll(names: readonly string[], data: PageData): Promise<Entry[] | undefined> {
  const rows: Entry[] = [];
  let cursor: string | null = 'start';
  while (cursor !== null) {
    const query: Values = { names: names.join(','), limit: SEARCH_ROWS_MAX, cursor };
    const page: OperationResponse<typeof searchByPlayers> | undefined = await data.askPart(searchByPlayers, {}, query);
    if (page === undefined) return undefined;
    rows.push(...page.results);
    cursor = page.nextCursor ?? null;
  }
  return rows;
}

/** Rows of a leaderboard come by rank, so that the first of each player is the best. */
function commonBoard(a: Entry, b: Entry): CommonBoard {
  const { titleId, gameName, leaderboardId, leaderboardName } = a;
  const ahead = a.rank === b.rank ? undefined : a.rank < b.rank ? 0 : 1;
  return { titleId, gameName, leaderboardId, leaderboardName, entries: [a, b], ahead };
}
