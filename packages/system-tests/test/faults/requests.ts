import { operations, type OperationResponse } from '@lobbystats/contracts';
import { sendRequest, type TestResponse } from '@lobbystats/test-kit/send-request';
import { gatewayUrl } from '../compose/stack.ts';

const { getAchievementLeaderboard, getTitleOnlineHistory, listGames, searchByTime } = operations;

/** Requests a public path of the stack. @throws Error for a 500 and for what the contract does not allow */
export const request = (path: string): Promise<TestResponse> => sendRequest(gatewayUrl, path);

/** Fails unless the response has one of these statuses. */
export async function expectStatus(path: string, ...statuses: number[]): Promise<void> {
  const { status } = await request(path);
  expect([path, statuses.includes(status) ? statuses : status]).toEqual([path, statuses]);
}

let searches = 0;
/** A search of catalog-api that was not sent before, so that no cache has its response. */
export function newSearch(): string {
  searches += 1;
  const seconds = ((searches * 0.1) % 60).toFixed(3).padStart(6, '0');
  return `${searchByTime.path}?time=${Math.floor(searches / 600)}:${seconds}&limit=100`;
}

let histories = 0;
/** A history of series-api that was not requested before. */
export async function newHistory(): Promise<string> {
  const { games } = (await request(listGames.path)).body as OperationResponse<typeof listGames>;
  histories += 1;
  const { titleId = '' } = games[histories % games.length] ?? {};
  return `${getTitleOnlineHistory.path.replace(':titleId', titleId)}?hours=${1 + (histories % 700)}`;
}

/** Users who are known to the site. */
export async function usernames(count: number): Promise<string[]> {
  const { body } = await request(`${getAchievementLeaderboard.path}?limit=100`);
  const { leaderboard } = body as OperationResponse<typeof getAchievementLeaderboard>;
  expect(leaderboard.length).toBeGreaterThanOrEqual(count);
  return leaderboard.slice(0, count).map(({ username }) => username);
}
