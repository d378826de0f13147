import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const MISS = 'lobbystats; fwd=uri-miss; stored';
const HIT = 'lobbystats; hit';
const API = '/api/game/Harbor%20Racing/leaderboard/';
/** Requests before functions that run once per process are counted no more; and requests whose shortest walk counts. */
const [WARM_UPS, RECORDED] = [5, 7];

/** Most visits of a request in gateway, site and catalog-api; each request is for another leaderboard. */
const WALKS = [
  { walk: 'a cold read', path: API, cacheStatus: MISS, visitsMax: 65 },
  { walk: 'a cache hit', path: API, cacheStatus: HIT, visitsMax: 14 },
  { walk: 'a page', path: '/game/Harbor%20Racing/leaderboard/', cacheStatus: MISS, visitsMax: 180 },
];

let url = '';
let child: ChildProcess;

beforeAll(async () => {
  child = fork(join(FIXTURES, 'walks-main.ts'), {
    env: {},
    execArgv: ['--import', join(FIXTURES, 'record-visits.ts')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  [url] = (await once(child, 'message')) as [string];
});
afterAll(() => child.kill('SIGKILL'));

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
  // Timers run in some of the requests.
  const [walk = []] = walks.sort((a, b) => a.length - b.length);
  expect(walk.join('\n')).toContain('services/gateway/src/cache/response-cache.ts');
  if (walk.length > expected.visitsMax) throw new Error(`${walk.length} visits:\n${walk.join('\n')}`);
});

async function takeWalk(): Promise<string[]> {
  child.send('take');
  const [walk] = (await once(child, 'message')) as [string[]];
  return walk;
}
