import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@lobbystats/test-kit';
import { findProgram, pidOf, startOnCore, type Core } from './bench-process.ts';

const START_TIMEOUT_MS = 5000;
const POLL_MS = 20;

/** An nginx with one worker. */
export interface Nginx {
  /** The worker process. */
  readonly pid: number;
  readonly port: number;
}

/** Configuration lines. `directory` is the working directory of nginx. */
type ServerConfiguration = (directory: string) => { http?: string; location: string };

/** Caches upstream responses; `X-Cache` is HIT or MISS. */
export function proxyCache(upstreamPort: number): ServerConfiguration {
  return (directory) => ({
    http: `
      proxy_cache_path ${directory}/cache keys_zone=answers:10m max_size=256m inactive=1h;
      ${upstreamOf(upstreamPort)}`,
    location: `
      ${PASS}
      proxy_cache answers;
      proxy_cache_valid 200 1h;
      proxy_ignore_headers Cache-Control Expires;
      proxy_cache_lock on;
      proxy_cache_use_stale updating error timeout;
      add_header X-Cache $upstream_cache_status;`,
  });
}

/** Runs until the stack is disposed. @returns undefined if nginx is not installed */
export async function startNginx(
  core: Core,
  serving: ServerConfiguration,
  stack: AsyncDisposableStack,
  say: (line: string) => void,
): Promise<Nginx | undefined> {
  const program = findProgram('nginx');
  if (program === undefined) {
    say('skipped: nginx is not installed');
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), 'lobbystats-nginx-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, 'cache'));
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  await writeFile(file, configuration(port, directory, serving));
  const master = startOnCore(core, program, ['-e', 'stderr', '-p', directory, '-c', file], stack);
  await waitUntilListening(port);
  return { pid: workerOf(pidOf(master)), port };
}

const PASS = `
      proxy_pass http://upstream_server;
      proxy_http_version 1.1;
      proxy_set_header Connection "";`;

function upstreamOf(port: number): string {
  return `upstream upstream_server { server 127.0.0.1:${port}; keepalive 64; keepalive_requests 1000000000; }`;
}

/** Production settings: no access log, sendfile, open file cache. */
function configuration(port: number, directory: string, serving: ServerConfiguration): string {
  const { http = '', location } = serving(directory);
  return `
    daemon off;
    worker_processes 1;
    error_log stderr crit;
    pid ${directory}/nginx.pid;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 4096; }
    http {
      access_log off;
      sendfile on;
      tcp_nopush on;
      keepalive_requests 1000000000;
      open_file_cache max=10000;
      client_body_temp_path ${directory}/body;
      proxy_temp_path ${directory}/proxy;
      fastcgi_temp_path ${directory}/fastcgi;
      scgi_temp_path ${directory}/scgi;
      uwsgi_temp_path ${directory}/uwsgi;
      ${http}
      server { listen 127.0.0.1:${port} reuseport; location / { ${location} } }
    }`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitUntilListening(port: number): Promise<void> {
  const request = () => fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
  try {
    await eventually(request, { timeoutMs: START_TIMEOUT_MS, everyMs: POLL_MS });
  } catch (error) {
    throw new Error('nginx does not answer', { cause: error });
  }
}

/** Children are listed in order of creation; the cache processes follow the worker. */
function workerOf(master: number): number {
  const [worker] = readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').split(' ');
  return Number(worker);
}
