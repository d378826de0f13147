import { allOperations, operations } from '@lobbystats/contracts';
import { eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { gateway, startFresh } from './stack.ts';
import { startStandalone } from './standalone-process.ts';

/** Days that both have whole: they began to fill at different times, so that their oldest slots differ. */
const QUERIES: Readonly<Record<string, string>> = { getDailyRegistered: '?days=5', getDailyStats: '?days=2' };

let standalone: Awaited<ReturnType<typeof startStandalone>>;
beforeAll(async () => {
  await startFresh();
  standalone = await startStandalone({
    DATA_DIR: temporaryDirectory('file'),
    PORT: '0',
    SIMULATOR_PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'error',
    FILL_DAYS: '3',
    FILL_REGISTERED_DAYS: '10',
    NETWORK_PUBLIC_URL: String(process.env['TEST_SIMULATOR_URL']),
  });
}, 300_000);
afterAll(() => standalone.stop());

/** Every public answer, for a few titles; by their paths. */
async function pathsToCompare(): Promise<string[]> {
  const { body } = await getJson(`${gateway}${operations.listGames.path}?limit=500`);
  const { games } = operations.listGames.answer.parse(body);
  const titleIds = games.slice(0, 3).map(({ titleId }) => titleId);
  return allOperations
    .filter(({ audience }) => audience === 'public')
    .flatMap(({ id, path }) => {
      const query = QUERIES[id] ?? '';
      return path.includes(':titleId') ? titleIds.map((one) => path.replace(':titleId', one) + query) : [path + query];
    });
}

async function answersOf(url: string, paths: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(paths.map((path) => fetch(url + path)));
  return Promise.all(answers.map(async (answer, at) => `${paths[at]} ${answer.status} ${await answer.text()}`));
}

describe('the stack of docker-compose.yml', () => {
  it('answers the same bytes as npm start, route by route', async () => {
    const compared = await eventually(
      async () => {
        const paths = await pathsToCompare();
        const [composed, alone] = await Promise.all([answersOf(gateway, paths), answersOf(standalone.url, paths)]);
        expect(composed).toEqual(alone);
        return composed;
      },
      // The stack's past has to come in first; and a slot reaches the two at different moments.
      { timeoutMs: 300_000, everyMs: 1000 },
    );
    expect(compared.length).toBeGreaterThan(10);
    expect(compared.filter((answer) => !/^\S+ 200 /.test(answer))).toEqual([]);
  }, 400_000);
});
