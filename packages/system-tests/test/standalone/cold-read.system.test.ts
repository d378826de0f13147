import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanUp } from '@lobbystats/test-kit';

/** A visit begins when a function is called for the first time and the call before it was in another file. */
const VISITS_MAX = 65;
const FIXTURES = join(import.meta.dirname, 'fixtures');
const WARM_UPS = [1, 2, 3, 4, 5];
const RECORDED = [6, 7, 8, 9, 10, 11, 12];

it(`a cold read of a leaderboard visits source files at most ${VISITS_MAX} times in gateway and catalog-api`, async () => {
  const child = fork(join(FIXTURES, 'cold-read-main.ts'), {
    env: {},
    execArgv: ['--import', join(FIXTURES, 'record-visits.ts')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  cleanUp(() => child.kill('SIGKILL'));
  const [url] = (await once(child, 'message')) as [string];
  const takeWalk = async () => {
    child.send('take');
    const [walk] = (await once(child, 'message')) as [string[]];
    return walk;
  };
  const read = async (board: number) => {
    const response = await fetch(`${url}/api/game/Harbor%20Racing/leaderboard/${board}`);
    await response.arrayBuffer();
    expect([response.status, response.headers.get('cache-status')]).toEqual([200, 'lobbystats; fwd=uri-miss; stored']);
  };

  for (const board of WARM_UPS) await read(board);
  const walks: string[][] = [];
  for (const board of RECORDED) {
    await takeWalk();
    await read(board);
    walks.push(await takeWalk());
  }
  // Timers run in some of the reads.
  const [walk = []] = walks.sort((a, b) => a.length - b.length);
  expect(walk.join('\n')).toContain('services/gateway/src/cache/response-cache.ts');
  expect(walk.join('\n')).toContain('services/catalog-api/src/leaderboards/leaderboard.ts');
  if (walk.length > VISITS_MAX) throw new Error(`${walk.length} visits:\n${walk.join('\n')}`);
});
