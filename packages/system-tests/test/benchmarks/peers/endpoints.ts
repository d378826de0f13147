import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@lobbystats/contracts';
import { ComposeProject, type ComposeService } from '@lobbystats/test-kit/compose-project';
import { freePorts } from '@lobbystats/test-kit/free-ports';
import type { BareResponses } from './bare-gateway-main.ts';
import { captureResponse } from './capture-response.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
/** A minimal backfill: one that runs during the measurements would take a core. */
const BACKFILL_SETTINGS = { BACKFILL_DAYS: '2' };
const ROW_BYTES = 58;

/** Published ports, all in front of the same network, with the same limits. */
interface EndpointPorts {
  /** The stack of docker-compose.yml. */
  stack: number;
  /** nginx of the stack in front of bare node:http. */
  bare: number;
  /** The same with `proxy_cache`. */
  cache: number;
  /** The gateway of the stack behind the nginx of `bare`, with bare node:http as series-api: each request reaches the gateway. */
  bareUpstream: number;
}

export interface Endpoints {
  readonly ports: EndpointPorts;
  readonly paths: Readonly<Record<'1 KB' | '20 KB', string>>;
  /** Paths whose responses are never cached. */
  readonly missPaths: readonly string[];
  scaleGateways(replicas: number): Promise<void>;
}

/** Starts the stack and its peers in one Compose project, until `stack` is disposed. */
export async function startEndpoints(stack: AsyncDisposableStack, say: (line: string) => void): Promise<Endpoints> {
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-endpoint-'));
  stack.defer(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  const project = await ComposeProject.create('lobbystats-bench', BACKFILL_SETTINGS);
  stack.defer(() => project.remove());
  say('starting the stack');
  await project.up('--build');
  const port = Number(project.settings['LISTEN_PORT']);
  const paths = await pathsOf(port);
  writeFileSync(join(directory, 'answers.json'), JSON.stringify(await captureResponses(port, Object.values(paths))));
  writeConfigurations(directory);
  const [bare = 0, cache = 0, bareUpstream = 0] = await freePorts(3);
  project.changeServices(await peersOf(project, directory, { bare, cache, bareUpstream }), {
    'bare-sockets': memoryVolume,
    'bare-upstream-sockets': memoryVolume,
  });
  say('starting its peers');
  await project.up(
    'bare',
    'bare-upstream',
    'nginx-bare',
    'nginx-cache',
    'gateway-bare-upstream',
    'nginx-bare-upstream',
  );
  return {
    ports: { stack: port, bare, cache, bareUpstream },
    paths,
    missPaths: missPathsOf(paths),
    scaleGateways: (replicas) => project.up('--no-recreate', '--scale', `gateway=${replicas}`, 'gateway'),
  };
}

/** Histories of about 1 and 20 KB of the first title. */
async function pathsOf(port: number): Promise<Endpoints['paths']> {
  const games = await captureResponse(port, operations.listGames.path, {});
  const { games: [first] = [] } = JSON.parse(Buffer.from(games.body, 'base64').toString()) as {
    games?: { titleId: string }[];
  };
  if (first === undefined) throw new Error('the stack has no games yet');
  const history = operations.getTitleOnlineHistory.path.replace(':titleId', first.titleId);
  const hours = (bytes: number) => Math.round(bytes / ROW_BYTES / 12);
  return { '1 KB': `${history}?hours=${hours(1024)}`, '20 KB': `${history}?hours=${hours(20 * 1024)}` };
}

/** Matches with a limit are never cached. */
function missPathsOf(paths: Endpoints['paths']): string[] {
  const [titleId = ''] = /[0-9a-f]{8}/.exec(paths['1 KB']) ?? [];
  const path = operations.getMatchHistory.path.replace(':titleId', titleId);
  return Array.from({ length: 100 }, (_, index) => `${path}?hours=1&limit=${index + 1}`);
}

async function captureResponses(port: number, paths: readonly string[]): Promise<BareResponses> {
  const answers: Record<string, Record<string, { headers: string[]; body: string }>> = {};
  for (const path of paths) {
    for (const coding of ['', 'gzip']) {
      const headers = coding === '' ? {} : { 'Accept-Encoding': coding };
      await captureResponse(port, path, headers);
      const { headers: responseHeaders, body } = await captureResponse(port, path, headers);
      (answers[path] ??= {})[coding] = { headers: responseHeaders, body };
    }
  }
  return answers;
}

/**
 * Writes two variants of the stack's nginx configuration: `nginx-bare` repeats no answers, `nginx-cache` repeats each for an hour.
 *
 * @throws Error when the configuration has no such lines
 */
function writeConfigurations(directory: string): void {
  const write = (name: string, changes: Readonly<Record<string, string>>) => {
    const copy = join(directory, name);
    cpSync(join(ROOT, 'infra/nginx'), copy, { recursive: true });
    const file = join(copy, 'public.conf');
    let text = readFileSync(file, 'utf8');
    for (const [line, replacement] of Object.entries(changes)) {
      if (!text.includes(line)) throw new Error(`infra/nginx/public.conf has no "${line}"`);
      text = text.replace(line, replacement);
    }
    writeFileSync(file, text);
  };
  write('nginx-bare', { 'proxy_cache $answers;': 'proxy_cache off;' });
  write('nginx-cache', {
    'proxy_cache_valid 200 1s;': 'proxy_cache_valid 200 1h;',
    'proxy_no_cache $must_ask;': '',
    'inactive=5s': 'inactive=1h',
  });
}

const memoryVolume = { driver_opts: { type: 'tmpfs', device: 'tmpfs', o: 'size=1m,mode=0755,uid=1000' } };

/** Copies of the services in docker-compose.yml with other upstreams. */
async function peersOf(
  project: ComposeProject,
  directory: string,
  ports: Omit<EndpointPorts, 'stack'>,
): Promise<Record<string, ComposeService>> {
  const { nginx, gateway } = await project.services();
  if (nginx === undefined || gateway === undefined) throw new Error('docker-compose.yml has no nginx and gateway');
  const inFrontOf = (sockets: string, published: number, configuration = 'nginx-bare') => ({
    ...nginx,
    depends_on: {},
    ports: [`127.0.0.1:${published}:8080`],
    volumes: [`${join(directory, configuration)}:/etc/lobbystats:ro`, `${sockets}:/run/gateways:ro`],
  });
  const bare = {
    image: gateway.image,
    init: true,
    networks: gateway['networks'],
    mem_limit: gateway['mem_limit'],
    volumes: [
      `${import.meta.dirname}:/bench:ro`,
      `${directory}/answers.json:/answers.json:ro`,
      'bare-sockets:/run/gateways',
    ],
  };
  const main = ['node', '/bench/bare-gateway-main.ts', '/answers.json'];
  return {
    bare: { ...bare, command: [...main, '/run/gateways/0.sock'] },
    'bare-upstream': { ...bare, command: [...main, '8080'] },
    'nginx-bare': inFrontOf('bare-sockets', ports.bare),
    'nginx-cache': inFrontOf('bare-sockets', ports.cache, 'nginx-cache'),
    'gateway-bare-upstream': {
      ...gateway,
      // Also its secrets, without which it does not start.
      volumes: ['secrets-gateway:/run/secrets:ro', 'bare-upstream-sockets:/run/gateways'],
      environment: { ...gateway.environment, SERIES_API_URL: 'http://bare-upstream:8080' },
    },
    'nginx-bare-upstream': inFrontOf('bare-upstream-sockets', ports.bareUpstream),
  };
}
