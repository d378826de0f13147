import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, fixedClock } from '@lobbystats/test-kit';
import { readStream } from '@lobbystats/test-kit/stream-reading';
import { signIn } from './sign-in.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const MISS = 'lobbystats; fwd=uri-miss; stored';
const HIT = 'lobbystats; hit';
const API = '/api/game/Harbor%20Racing/leaderboard/';
/** Requests before functions that run once per process are counted no more; and requests whose shortest walk counts. */
const [WARM_UPS, RECORDED] = [5, 7];

/** Most visits of a request in gateway, site and catalog-api; each request is for another leaderboard. */
const WALKS = [
  { walk: 'a cold read', path: API, cacheStatus: MISS, visitsMax: 62 },
  { walk: 'a cache hit', path: API, cacheStatus: HIT, visitsMax: 13 },
  { walk: 'a page', path: '/game/4d530064/leaderboard/', cacheStatus: MISS, visitsMax: 119 },
];

/** Most visits of a rating with a new session in gateway and reputation-api, until its rater has the response and a reader its event. */
const RATING_VISITS_MAX = 120;

const network = createSimulator({ clock: fixedClock('2026-01-31T12:00:05Z'), titles: 1, players: 10 });
let networkUrl = '';
let url = '';
let child: ChildProcess;

beforeAll(async () => {
  ({ url: networkUrl } = await network.start());
  child = fork(join(FIXTURES, 'walks-main.ts'), {
    env: { AUTH_URL: networkUrl },
    execArgv: ['--import', join(FIXTURES, 'record-visits.ts')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  [url] = (await once(child, 'message')) as [string];
});
afterAll(async () => {
  child.kill('SIGKILL');
  await network.stop();
});

/** A visit begins when a function is called for the first time in the request and the call before it was in another file. */
it.each(WALKS)('$walk of a leaderboard visits source files at most $visitsMax times', async (expected) => {
  const walks: string[][] = [];
  for (let board = 1; board <= WARM_UPS + RECORDED; board += 1) {
    await takeWalk();
    const response = await fetch(`${url}${expected.path}${board}`);
    await response.arrayBuffer();
    expect([response.status, response.headers.get('cache-status')]).toEqual([200, expected.cacheStatus]);
    const walk = await takeWalk();
    if (board > WARM_UPS) walks.push(walk);
  }
  expect(shortest(walks, expected.visitsMax)).toContain('services/gateway/src/cache/response-cache.ts');
});

it(`a rating visits source files at most ${RATING_VISITS_MAX} times until a reader of the stream has its event`, async () => {
  const { events } = await readStream(`${url}/api/stream?topics=ratings`);
  const walks: string[][] = [];
  for (let round = 1; round <= WARM_UPS + RECORDED; round += 1) {
    const user = await signIn({ url, networkUrl }, network.accounts[1]!);
    // Facts leave the outbox once a second: two heartbeats later the next one leaves at once.
    for (let beat = 0; beat < 2; beat += 1) {
      await eventually(async () => expect((await takeWalk()).join()).toContain('heartbeat'));
    }
    const stars = 1 + (round % 5);
    expect(await user.rate('Harbormaster', { stars })).toMatchObject({ status: 200, body: { viewer: { stars } } });
    await eventually(() => expect(events).toHaveLength(round));
    const walk = await takeWalk();
    if (round > WARM_UPS) walks.push(walk);
  }
  const walk = shortest(walks, RATING_VISITS_MAX);
  expect(walk).toContain('services/reputation-api/src/ratings/ledger.ts');
  expect(walk).toContain('services/gateway/src/stream/stream-hub.ts');
}, 60_000);

/** The shortest walk: timers run in the others. Fails when it is longer than the maximum. */
function shortest(walks: string[][], visitsMax: number): string {
  const [walk = []] = walks.sort((a, b) => a.length - b.length);
  if (walk.length > visitsMax) throw new Error(`${walk.length} visits:\n${walk.join('\n')}`);
  return walk.join('\n');
}

async function takeWalk(): Promise<string[]> {
  child.send('take');
  const [walk] = (await once(child, 'message')) as [string[]];
  return walk;
}
