import { observeBoards, scores, times, TITLE } from './board-passes.ts';
import { runCatalog, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

export const OTHER = '4d530065';
/** A title that has boards and no name. */
export const NAMELESS = '00000001';
/** Player names with special meaning in patterns, query languages, objects or URLs. */
export const HOSTILE = ['.*', '$gt', '__proto__', '%00', '%', "' OR 1=1 --", 'nul \0 inside', '🏁', 'a/b', '\\'];

/** A catalog with a few boards to search in. */
export async function runSearchable(): Promise<RunningCatalog> {
  const catalog = await runCatalog();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' }, [OTHER]: { name: 'Quiet Bay' } });
  await observeBoards(
    catalog,
    {
      leaderboardId: 1,
      name: 'Old Pier',
      entries: times([
        ['Ember Fox', 49_300],
        ['Pike', 49_400],
        ['Quill', 50_300],
        ['EMBER FOX', 51_000],
      ]),
    },
    {
      leaderboardId: 2,
      name: 'New Pier',
      entries: [
        { rank: 1, name: 'Pike', rating: '00:49.300', timeMs: 49_300 },
        { rank: 1, name: 'Pike', rating: '00:49.300', timeMs: 49_300 },
        { rank: 3, name: 'Quill', rating: '00:49.500', timeMs: 49_500 },
      ],
    },
    {
      titleId: OTHER,
      leaderboardId: 1,
      name: 'Points',
      isTime: false,
      entries: scores([
        ['Ember Fox', '49,300'],
        ['Pike', '49,299'],
      ]),
    },
    { titleId: OTHER, leaderboardId: 5, name: 'Lap', entries: times([['Ember Fox', 49_300]]) },
    { titleId: OTHER, leaderboardId: 6, name: 'Odd', entries: times(HOSTILE.map((name, i) => [name, 600_000 + i])) },
    { titleId: NAMELESS, entries: times(['Ember Fox', 'Pike', 'Quill'].map((name) => [name, 49_300])) },
    { leaderboardId: 9, name: 'Gone', entries: times([['Ember Fox', 49_300]]) },
    { leaderboardId: 9, hour: 1, entries: null },
  );
  return catalog;
}

/** The fields by which tests identify a search row. */
export interface Row {
  titleId: string;
  leaderboardId: number;
  playerName: string;
  rank: number;
}

/** One row as `titleId/board name rank`. */
export function brief({ titleId, leaderboardId, playerName, rank }: Row): string {
  return `${titleId}/${leaderboardId} ${playerName} ${rank}`;
}

export function rowsOf({ body }: ApiResponse): Row[] {
  return (body as { results: Row[] }).results;
}

/** A path with its query. */
export function withQuery(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}
