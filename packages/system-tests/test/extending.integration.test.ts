import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import { createHealth, createHttpService, createMetrics, silentLogger } from '@lobbystats/service-kit';
import { rushHandler, rushObserved } from './extending/new-message.ts';
import { busyHourRoutes, getBusyHours } from './extending/new-route.ts';
import { rushApi } from './extending/new-service.ts';
import { readRushConfig } from './extending/new-setting.ts';
import { openRushStore } from './extending/rush-store.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Things in backticks that look like paths in the repository. */
function pathsIn(markdown: string): string[] {
  const quoted = [...markdown.matchAll(/`([^`\s]+)`/g)].map((match) => String(match[1]));
  return quoted.filter((text) => /^(packages|services|docs|infra)\//.test(text) && !/[*<>…{}]/.test(text));
}

const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((f) => f.endsWith('.md'))
    .map((f) => `docs/${f}`),
];

describe.each(documents)('%s', (document) => {
  it('names only files and folders that exist', () => {
    const missing = pathsIn(read(document)).filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(document).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map((match) => String(match[1]));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => String(match[1]));
    const missing = links.filter((link) => !existsSync(join(root, document, '..', link)));
    expect(missing).toEqual([]);
  });
});

describe('walkthroughs of docs/extending.md', () => {
  const GAME = '4d530064';
  const pathOf = (titleId: string) => getBusyHours.path.replace(':titleId', titleId);
  const store = openRushStore(new Map([[GAME, [20, 21, 19, 22]]]));
  const code = readdirSync(join(import.meta.dirname, 'extending')).map((file) =>
    readFileSync(join(import.meta.dirname, 'extending', file), 'utf8'),
  );
  const codeBlocks = [...read('docs/extending.md').matchAll(/```ts\n(.*?)```/gs)].map((match) => String(match[1]));

  it.each(codeBlocks.map((block) => [block.slice(0, block.indexOf('\n')), block] as const))(
    'show code that is tested here: %s',
    (_, block) => {
      expect(code.some((file) => file.includes(block))).toBe(true);
    },
  );

  it('produce a route that validates, applies defaults and responds', async () => {
    const http = createHttpService({
      name: 'walk',
      host: '127.0.0.1',
      port: 0,
      logger: silentLogger(),
      metrics: createMetrics('walk'),
      health: createHealth({ service: 'walk' }),
      routes: busyHourRoutes(store),
      validateResponses: true,
      stopTimeoutMs: 1000,
    });
    const { url } = await http.start();
    const ask = async (titleId: string, query = '') => {
      const response = await fetch(url + pathOf(titleId) + query);
      return [response.status, await response.json()];
    };
    expect(await ask(GAME)).toEqual([200, { titleId: GAME, hours: [20, 21, 19] }]);
    expect(await ask('0badf00d')).toEqual([404, { error: 'Unknown title' }]);
    expect(await ask(GAME, '?limit=25')).toEqual([400, { error: 'limit must be an integer from 1 to 24' }]);
    await http.stop();
  });

  it('produce a message type with a valid example, and its handler', async () => {
    const putRush = jest.fn(() => Promise.resolve());
    const data = rushObserved.data.parse(rushObserved.example);
    await rushHandler({ putRush }).handle([{ data } as Message]);
    expect(putRush.mock.calls).toEqual([[GAME, 40]]);
  });

  it('produce a setting with a default, and bounds named in its error', () => {
    expect(readRushConfig({}).RUSH_PLAYERS).toBe(40);
    expect(() => readRushConfig({ RUSH_PLAYERS: '1' })).toThrow(/RUSH_PLAYERS/);
  });

  it('produce a service that serves its route, consumes, and reports its readiness', async () => {
    const stopped: string[] = [];
    const consume = () => Promise.resolve({ stop: () => Promise.resolve(void stopped.push('consumer')) });
    const bus = { consume, check: () => Promise.resolve() } as unknown as MessageBus;
    const config = rushApi.readConfig({ PORT: '0', METRICS_PORT: '0' });
    const service = await rushApi.create(config, { bus, store, logger: silentLogger() });
    await service.start();
    expect((await fetch(service.url() + pathOf(GAME))).status).toBe(200);
    expect(await (await fetch(`${service.url()}/readyz`)).json()).toMatchObject({
      service: 'rush-api',
      status: 'ready',
      dependencies: { bus: { status: 'up' } },
    });
    await service.stop();
    expect(stopped).toEqual(['consumer']);
  });
});
