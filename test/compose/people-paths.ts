import { operations } from '@lobbystats/contracts';
import { getJson } from '@lobbystats/test-kit';

const { getProfile, getUserAchievements, getGamesPlayed, getLeaderboardScores, getReputation } = operations;
const { listAchievements, getAchievementLeaderboard, listRecentUnlocks } = operations;

const ABOUT_EVERYBODY = [getAchievementLeaderboard.path, listRecentUnlocks.path];
const OF_ONE = [getProfile, getUserAchievements, getGamesPlayed, getLeaderboardScores, getReputation];

interface Account {
  username: string;
}

/** Requests to every route of people, for those whom the network's own accounts belong to. */
export async function requestsOfPeople(gateway: string): Promise<string[]> {
  const simulator = String(process.env['TEST_SIMULATOR_URL']);
  const { body: accounts } = await getJson<Account[]>(`${simulator}/simulator/accounts`);
  const known: string[] = [];
  for (const { username } of accounts) {
    const { status } = await getJson(gateway + pathOf(getProfile.path, username));
    if (status === 200) known.push(username);
  }
  return [
    ...known.flatMap((username) => OF_ONE.map(({ path }) => pathOf(path, username))),
    listAchievements.path,
    `${getAchievementLeaderboard.path}?limit=100`,
    listRecentUnlocks.path,
  ];
}

function pathOf(path: string, username: string): string {
  return path.replace(':username', encodeURIComponent(username));
}

/** What a system tells of people. */
export interface Told {
  path: string;
  status: number;
  body: unknown;
}

/**
 * Answers without what depends on the order in which facts arrive: when an achievement was unlocked, and with it which came
 * last; and how many have one, since a rank that passed while the past came in may have been heard of or not.
 */
export async function peopleTold(url: string, paths: readonly string[]): Promise<Told[]> {
  return Promise.all(
    paths.map(async (path) => {
      const { status, body } = await getJson(url + path);
      if (ABOUT_EVERYBODY.some((route) => path.startsWith(route)))
        return { path, status, body: Object.keys(body as object) };
      return { path, status, body: withoutTimesOfUnlocks(body) };
    }),
  );
}

const ORDER_DEPENDENT = new Set(['unlocked_at', 'newUnlocks', 'unlockedBy', 'playersWithAchievements']);

function withoutTimesOfUnlocks(body: unknown): unknown {
  const plain = JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (ORDER_DEPENDENT.has(key) ? null : value)),
  ) as { achievements?: { id: number }[] };
  plain.achievements?.sort((a, b) => a.id - b.id);
  return plain;
}
