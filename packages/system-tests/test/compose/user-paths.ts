import { operations } from '@lobbystats/contracts';
import { getJson } from '@lobbystats/test-kit';

const { getProfile, getPlayTime, getUserAchievements, getGamesPlayed, getLeaderboardScores, getReputation } =
  operations;
const { listAchievements, getAchievementLeaderboard, listRecentUnlocks } = operations;

const LIST_PATHS = [getAchievementLeaderboard.path, listRecentUnlocks.path];
const USER_OPERATIONS = [getProfile, getUserAchievements, getGamesPlayed, getLeaderboardScores, getReputation];

interface Account {
  username: string;
}

/** Paths of all user routes, for the demo accounts of the network. */
export async function userPaths(gateway: string): Promise<string[]> {
  const simulator = String(process.env['TEST_SIMULATOR_URL']);
  const { body: accounts } = await getJson<Account[]>(`${simulator}/simulator/accounts`);
  const known: string[] = [];
  for (const { username } of accounts) {
    const { status } = await getJson(gateway + pathOf(getProfile.path, username));
    if (status === 200) known.push(username);
  }
  return [
    ...known.flatMap((username) => USER_OPERATIONS.map(({ path }) => pathOf(path, username))),
    ...known.map((username) => `${getPlayTime.path}?${new URLSearchParams({ username }).toString()}`),
    listAchievements.path,
    `${getAchievementLeaderboard.path}?limit=100`,
    listRecentUnlocks.path,
  ];
}

function pathOf(path: string, username: string): string {
  return path.replace(':username', encodeURIComponent(username));
}

/** A response about users. */
export interface UserResponse {
  path: string;
  status: number;
  body: unknown;
}

/**
 * Fetches responses without the parts that depend on the order of facts: unlock times, the newest unlocks, and unlock counts,
 * because short-lived ranks may or may not have been processed during the backfill.
 */
export async function fetchUserResponses(url: string, paths: readonly string[]): Promise<UserResponse[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { status, body } = await getJson(url + path);
      if (LIST_PATHS.some((route) => path.startsWith(route)))
        return { path, status, body: Object.keys(body as object) };
      return { path, status, body: withoutUnlockTimes(body) };
    }),
  );
}

const ORDER_DEPENDENT = new Set(['unlocked_at', 'newUnlocks', 'unlockedBy', 'playersWithAchievements']);

function withoutUnlockTimes(body: unknown): unknown {
  const plain = JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (ORDER_DEPENDENT.has(key) ? null : value)),
  ) as { achievements?: { id: number }[] };
  plain.achievements?.sort((a, b) => a.id - b.id);
  return plain;
}
