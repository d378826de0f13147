import { allOperations, operations, sampleRequest, type SampleValues } from '@lobbystats/contracts';
import { expect } from 'expect';
import type { Stage } from '../stages/stage.ts';

/**
 * A path with a 200 response for each public GET route that needs no session, with IDs that exist on the site.
 * Without an announced event, event routes are omitted.
 */
export async function samplePaths(stage: Stage): Promise<string[]> {
  const values = await knownValues(stage);
  const paths = allOperations
    .filter(({ audience, method, session }) => audience === 'public' && method === 'GET' && session !== 'required')
    .filter(({ path }) => values['eventId'] !== undefined || !path.includes(':eventId'))
    .map((operation) => sampleRequest(operation, values).target);
  for (const path of paths) expect([path, (await stage.request(path)).status]).toEqual([path, 200]);
  return paths;
}

async function knownValues(stage: Stage): Promise<SampleValues> {
  const read = async <Body>(path: string) => (await stage.request(path)).body as Body;
  const { games } = await read<{ games: { titleId: string }[] }>(operations.listGames.path);
  const [event] = await read<{ id: number }[]>(operations.listEvents.path);
  for (const { titleId } of games) {
    const [board] = await read<{ id: number }[]>(operations.listLeaderboards.path.replace(':titleId', titleId));
    if (board === undefined) continue;
    const boardPath = operations.getLeaderboard.path
      .replace(':titleId', titleId)
      .replace(':leaderboardId', String(board.id));
    const { entries } = await read<{ entries: { name: string }[] }>(`${boardPath}?limit=2`);
    const [first, second = first] = entries.map(({ name }) => name);
    if (first === undefined || second === undefined) continue;
    return {
      ...{ titleId, game: titleId, otherTitleId: games.at(-1)?.titleId ?? titleId, leaderboardId: String(board.id) },
      ...{ username: stage.users[0].username, player: first, otherPlayer: second, time: '0:49.3', prefix: 'e' },
      ...(event && { eventId: String(event.id) }),
    };
  }
  throw new Error('there is no game with a leaderboard yet');
}
