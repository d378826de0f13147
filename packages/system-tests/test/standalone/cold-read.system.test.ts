import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanUp } from '@lobbystats/test-kit';

const FILES_MAX = 37;
const MAIN = join(import.meta.dirname, 'fixtures/cold-read-main.ts');
const WARM_UPS = [1, 2, 3, 4, 5];
const FIRST = 6;
const OTHERS = [7, 8, 9, 10, 11, 12];

/** A process of its own that reports which source files run. */
async function startProcess(role: string, env: Record<string, string> = {}) {
  const child = fork(MAIN, [role], {
    env,
    // The compiler inlines hot functions, sooner or later, and they are not counted any more.
    execArgv: ['--no-opt'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  cleanUp(() => child.kill('SIGKILL'));
  const [url] = (await once(child, 'message')) as [string];
  const filesSinceLastCall = async () => {
    child.send('files');
    const [files] = (await once(child, 'message')) as [string[]];
    return new Set(files);
  };
  return { url, filesSinceLastCall };
}

it(`a cold read of a leaderboard passes through at most ${FILES_MAX} source files of both processes`, async () => {
  const catalog = await startProcess('catalog-api');
  const gateway = await startProcess('gateway', { CATALOG_API_URL: catalog.url });
  const read = async (board: number) => {
    const response = await fetch(`${gateway.url}/api/game/4d530064/leaderboard/${board}`);
    await response.arrayBuffer();
    expect([response.status, response.headers.get('cache-status')]).toEqual([200, 'lobbystats; fwd=uri-miss; stored']);
  };
  const filesOfRead = async (board: number) => {
    for (const { filesSinceLastCall } of [gateway, catalog]) await filesSinceLastCall();
    await read(board);
    const [ofGateway, ofCatalog] = [await gateway.filesSinceLastCall(), await catalog.filesSinceLastCall()];
    return ofGateway.union(ofCatalog);
  };

  for (const board of WARM_UPS) await read(board);
  let common = await filesOfRead(FIRST);
  // Files of timers do not run in each of the reads.
  for (const board of OTHERS) common = common.intersection(await filesOfRead(board));
  const files = [...common].sort();
  expect(files).toContain('services/gateway/src/cache/response-cache.ts');
  expect(files).toContain('services/catalog-api/src/leaderboards/leaderboard.ts');
  if (files.length > FILES_MAX) throw new Error(`${files.length} files run:\n${files.join('\n')}`);
});
