import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, pidOf, startOnCore, type Core } from './own-process.ts';

const ANSWERING_WITHIN_MS = 5000;
const LOOK_MS = 20;

/** An nginx with one worker. */
export interface Nginx {
  /** Of its worker. */
  readonly pid: number;
  readonly port: number;
}

/** What an nginx does with a request: lines of its configuration. `directory` is its own. */
type Serving = (directory: string) => { http?: string; location: string };

/** Keeps what the upstream answers, and answers from it, `Vary` heeded; `X-Cache` says whether it did. */
export function cacheOf(upstreamPort: number): Serving {
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

/** Starts an nginx on a core; it ends with the stack. Undefined, and a word on it, where the machine has none. */
export async function startNginx(
  core: Core,
  serving: Serving,
  stack: AsyncDisposableStack,
  say: (line: string) => void,
): Promise<Nginx | undefined> {
  const program = findProgram('nginx');
  if (program === undefined) {
    say('left out: nginx is not installed');
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), 'lobbystats-nginx-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, 'cache'));
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  await writeFile(file, configuration(port, directory, serving));
  const master = startOnCore(core, program, ['-e', 'stderr', '-p', directory, '-c', file], stack);
  await untilListening(port);
  return { pid: workerOf(pidOf(master)), port };
}

const PASS = `
      proxy_pass http://upstream_server;
      proxy_http_version 1.1;
      proxy_set_header Connection "";`;

function upstreamOf(port: number): string {
  return `upstream upstream_server { server 127.0.0.1:${port}; keepalive 64; keepalive_requests 1000000000; }`;
}

/** As for production: nothing is written down of a request, files are sent by the kernel and stay open. */
function configuration(port: number, directory: string, serving: Serving): string {
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

async function untilListening(port: number): Promise<void> {
  const end = performance.now() + ANSWERING_WITHIN_MS;
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
      return;
    } catch (error) {
      if (performance.now() > end) throw new Error('nginx does not answer', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

/** Its children are told of in the order in which they were made; those that keep the cache come after the worker. */
function workerOf(master: number): number {
  const [worker] = readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').split(' ');
  return Number(worker);
}
