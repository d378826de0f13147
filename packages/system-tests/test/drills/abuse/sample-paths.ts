import { allOperations, operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import type { Stage } from '../stages/stage.ts';

/**
 * A path with a 200 response for each public GET route that needs no session, with IDs that exist on the site.
 * Without an announced event, event routes are omitted.
 */
export async function samplePaths(stage: Stage): Promise<string[]> {
  const params = await knownParams(stage);
  const paths = allOperations
    .filter(({ audience, method, session }) => audience === 'public' && method === 'GET' && session !== 'required')
    .filter(({ path }) => params['eventId'] !== undefined || !path.includes(':eventId'))
    .map(({ id, path }) =>
      (path + (QUERIES[id] ?? '')).replace(/:([a-z]\w+)/gi, (_, name: string) => params[name] ?? name),
    );
  for (const path of paths) expect([path, (await stage.request(path)).status]).toEqual([path, 200]);
  return paths;
}

const QUERIES: Readonly<Record<string, string>> = {
  [operations.searchByTime.id]: '?time=0:49.3&tolerance=60000',
  [operations.searchByPlayers.id]: '?names=Ember%20Fox',
  [operations.compareGames.id]: '?titleIds=:titleId',
  [operations.suggestNames.id]: '?q=e',
  [operations.getPlayTime.id]: '?username=:username',
  [operations.getRankHistory.id]: '?titleId=:titleId&leaderboardId=:leaderboardId',
};

async function knownParams(stage: Stage): Promise<Readonly<Record<string, string>>> {
  const read = async <Body>(path: string) => (await stage.request(path)).body as Body;
  const { games } = await read<{ games: { titleId: string }[] }>(operations.listGames.path);
  const [event] = await read<{ id: number }[]>(operations.listEvents.path);
  for (const { titleId } of games) {
    const [board] = await read<{ id: number }[]>(operations.listLeaderboards.path.replace(':titleId', titleId));
    if (board === undefined) continue;
    const boardPath = operations.getLeaderboard.path
      .replace(':titleId', titleId)
      .replace(':leaderboardId', String(board.id));
    const [entry] = (await read<{ entries: { name: string }[] }>(`${boardPath}?limit=1`)).entries;
    if (entry === undefined) continue;
    const username = encodeURIComponent(stage.users[0].username);
    return {
      ...{ titleId, game: titleId, leaderboardId: String(board.id), ...(event && { eventId: String(event.id) }) },
      ...{ username, player: encodeURIComponent(entry.name) },
    };
  }
  throw new Error('there is no game with a leaderboard yet');
}
