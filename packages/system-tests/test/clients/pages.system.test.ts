import { createClient, type InputOf, type PagedOperationId } from '@lobbystats/client';
import { signIn } from '../standalone/sign-in.ts';
import { runSite } from './run-site.ts';

/** The input of each paged operation, with small pages. */
type Inputs = { readonly [Id in PagedOperationId]: InputOf<Id> };

let site: Awaited<ReturnType<typeof runSite>>;
let inputs: Inputs;
let sessionKey: string;

beforeAll(async () => {
  site = await runSite();
  const { titleId, leaderboardId, client } = site;
  const [account] = site.simulator.accounts;
  ({ sessionKey } = await signIn(site, account!));
  const board = await client.getLeaderboard({ titleId, leaderboardId });
  const { changes } = await client.listChanges({ limit: 1 });
  inputs = {
    listGames: { limit: 6 },
    listLobbies: { limit: 2 },
    listUsersOnline: { limit: 50 },
    getMatchHistory: { titleId, hours: 720, limit: 1 },
    getLeaderboard: { titleId, leaderboardId, limit: Math.ceil(board.total / 3) },
    listChanges: { limit: 4 },
    listTitleChanges: { titleId: changes[0]!.titleId, limit: 100 },
    listPlayerChanges: { player: changes[0]!.playerName, limit: 1 },
    searchByTime: { time: '1:00', tolerance: 60_000, limit: 20, cursor: 'start' },
    searchByPlayers: {
      names: board.entries
        .slice(0, 20)
        .map(({ name }) => name)
        .join(','),
      limit: 7,
      cursor: 'start',
    },
    getReputation: { username: account!.username, feedbackOffset: 0 },
    listOwnRatings: { limit: 1 },
    listRecentUnlocks: { limit: 2, offset: 0 },
    getAchievementLeaderboard: { limit: 2, offset: 0 },
  };
});

/** Operations that have several pages on this site. */
const LONG: readonly PagedOperationId[] = [
  'listGames',
  'getLeaderboard',
  'listChanges',
  'searchByTime',
  'searchByPlayers',
];
const SHORT: readonly PagedOperationId[] = [
  'listLobbies',
  'listUsersOnline',
  'getMatchHistory',
  'listTitleChanges',
  'listPlayerChanges',
  'getReputation',
  'listOwnRatings',
  'listRecentUnlocks',
  'getAchievementLeaderboard',
];

it.each([...LONG, ...SHORT])('items of %s yields as many elements as all pages have', async (id) => {
  const client = createClient({ baseUrl: site.url, sessionKey });
  const { body, next } = await client.request(id, inputs[id]);
  const elements: string[] = [];
  for await (const element of client.items(id, { ...inputs[id], format: undefined })) {
    elements.push(JSON.stringify(element));
  }
  expect(next !== undefined || SHORT.includes(id)).toBe(true);
  expect(elements).toHaveLength(body.total ?? Number.NaN);
  expect(new Set(elements).size).toBe(elements.length);
});
