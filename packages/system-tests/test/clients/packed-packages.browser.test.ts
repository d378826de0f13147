import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import { createEmptyProject, TYPE_CHECKS, type EmptyProject } from './empty-project.ts';
import type { Site } from './fixtures/use-packages-main.ts';
import { runSite } from './run-site.ts';

/** The Node of the tests, and those that TEST_NODES names: `.ci/full` installs 20 and 22. */
const NODES = [process.execPath, ...(process.env['TEST_NODES']?.split(delimiter) ?? [])];

let site: Awaited<ReturnType<typeof runSite>>;
let project: EmptyProject;
let target: Site;

beforeAll(async () => {
  site = await runSite();
  const [account] = site.simulator.accounts;
  const { email, password, username } = account!;
  target = { url: site.url, authUrl: site.networkUrl, email, password };
  await eventually(() => site.client.getProfile({ username }));
  project = await createEmptyProject();
  await project.typeCheck('moduleResolution nodenext');
});

/** The program's result. Its `reset` event begins the next slot. */
async function expectedResult() {
  const { client, clock, simulator } = site;
  const { games } = await client.listGames();
  const slotAt = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}:00`;
  const slot = `${slotAt(clock()).replace(' ', 'T')}Z`;
  // The program before has begun it, and the cache returns the former one once more.
  await eventually(async () => {
    expect(await client.getNow({ time: 'iso' })).toMatchObject({ slot });
  });
  const event = ['now', slotAt(clock() + 300_000)];
  const username = simulator.accounts[0]?.username;
  return {
    names: games.map(({ name }) => name),
    newestChanges: 6,
    csvHeader: 'recorded_at,online_count',
    slot,
    isSame: true,
    error: [404, 'Unknown game'],
    signedIn: [username, true, username, false],
    events: [['reset'], event, event],
  };
}

async function runInNode(node: string): Promise<unknown> {
  const program = spawn(node, [project.program, JSON.stringify(target)], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUp(() => void program.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface({ input: program.stdout }).on('line', (line) => {
    lines.push(line);
    if (line === 'reset') site.clock.advance(300);
  });
  const [code] = (await once(program, 'close')) as [number | null];
  expect([code, lines.length]).toEqual([0, 2]);
  return JSON.parse(lines[1] ?? '');
}

describe('the packed packages in an empty project', () => {
  it.each(['@lobbystats/client', '@lobbystats/service-auth'])('%s has every file that its exports name', (name) => {
    const folder = join(project.folder, 'node_modules', name);
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { exports: unknown };
    const targets = targetsIn(exports);
    expect(targets.length).toBeGreaterThan(1);
    expect(targets.filter((target) => !existsSync(join(folder, target)))).toEqual([]);
  });

  it.each(Object.keys(TYPE_CHECKS) as (keyof typeof TYPE_CHECKS)[])(
    'a strict program type-checks with %s',
    async (name) => {
      await expect(project.typeCheck(name)).resolves.toBeUndefined();
    },
  );

  it.each(NODES)('a program pages, caches, signs in and resumes the stream in %s', async (node) => {
    const expected = await expectedResult();
    expect(await runInNode(node)).toEqual(expected);
  });

  it('a program does the same in Chromium, without a bundler', async () => {
    const browser = await launchChromium();
    cleanUp(() => browser.close());
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.exposeFunction('onReset', () => site.clock.advance(300));
    const expected = await expectedResult();
    await page.goto(await serve(project.folder));
    const result = await page.evaluate<unknown>(
      `import('/built/program.js').then(({ useSite }) => useSite(${JSON.stringify(target)}, onReset))`,
    );
    expect([result, faults]).toEqual([expected, []]);
  });
});

/** All files of conditional exports. */
function targetsIn(exports: unknown): string[] {
  if (typeof exports === 'string') return [exports];
  return Object.values(exports as object).flatMap(targetsIn);
}

const PAGE = `<!doctype html><title>client</title><link rel="icon" href="data:," /><script type="importmap">${JSON.stringify(
  {
    imports: {
      '@lobbystats/client': '/node_modules/@lobbystats/client/dist/index.js',
      '@lobbystats/service-auth': '/node_modules/@lobbystats/service-auth/src/service-auth.mjs',
      'eventsource-parser': '/node_modules/eventsource-parser/dist/index.js',
    },
  },
)}</script>`;

/** Serves the modules of a project, and a page with an import map. @returns the URL of the page */
async function serve(folder: string): Promise<string> {
  const server = createServer((req, res) => {
    const { pathname } = new URL(String(req.url), 'http://any');
    res.setHeader('Content-Type', pathname === '/' ? 'text/html' : 'text/javascript');
    res.end(pathname === '/' ? PAGE : readFileSync(join(folder, pathname)));
  });
  cleanUp(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
