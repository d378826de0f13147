import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { operations } from '@lobbystats/contracts';

/** What the key of each session begins with; the rest says whose it is. */
export const KEY = 'bench-session-';
const KNOWN_WITHIN_MS = 120_000;
const CALM_WITHIN_MS = 300_000;
const CALM_SECONDS = 3;
/** Of a core. */
const CALM_SHARE = 0.25;
/** In which the kernel tells of CPU. */
const TICKS_A_SECOND = 100;
const MAIN = join(import.meta.dirname, '../services/standalone/src/main.ts');

/** An auth service to whom every key is somebody's, and how often it was asked. */
export async function startAuth(stack: AsyncDisposableStack): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      asked += 1;
      const { sessionKey } = JSON.parse(text) as { sessionKey: string };
      const username = `Rater ${sessionKey.slice(KEY.length)}`;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ valid: true, username, email: 'rater@example.com' }));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  stack.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

/** `npm start` with a day of play time and nothing else of the past. */
export async function startSystem(
  authUrl: string,
  stack: AsyncDisposableStack,
): Promise<{ url: string; simulatorUrl: string; pid: number }> {
  const directory = await mkdtemp(join(tmpdir(), 'lobbystats-ratings-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const nothing = { FILL_DAYS: '0', FILL_REGISTERED_DAYS: '0', FILL_BOARD_DAYS: '0', FILL_PLAYER_DAYS: '1' };
  const ports = { PORT: '0', SIMULATOR_PORT: '0', METRICS_PORT: '0' };
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: directory,
      AUTH_URL: authUrl,
      LOG_FORMAT: 'json',
      ...nothing,
      ...ports,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  stack.defer(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  });
  let simulatorUrl = '';
  for await (const line of createInterface({ input: child.stdout })) {
    if (simulatorUrl === '' && line.includes('simulated'))
      simulatorUrl = /http:\/\/127[.\d]+:\d+/.exec(line)?.[0] ?? '';
    const url = /is ready: (\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, simulatorUrl, pid: child.pid ?? 0 };
  }
  throw new Error('npm start ended before it was ready');
}

/** One of the network's accounts that has come to be known. */
export async function somebody(url: string, simulatorUrl: string): Promise<string> {
  const accounts = (await (await fetch(`${simulatorUrl}/simulator/accounts`)).json()) as { username: string }[];
  const deadline = Date.now() + KNOWN_WITHIN_MS;
  while (Date.now() < deadline) {
    for (const { username } of accounts) {
      const path = operations.getReputation.path.replace(':username', encodeURIComponent(username));
      if ((await fetch(url + path)).ok) return username;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('Nobody came to be known');
}

/** Resolves when a process has next to nothing to do any more, for so many seconds: what a first start brings in is in. */
export async function calm(pid: number): Promise<void> {
  const deadline = Date.now() + CALM_WITHIN_MS;
  for (let quiet = 0, before = await cpuSecondsOf(pid); quiet < CALM_SECONDS;) {
    if (Date.now() > deadline) throw new Error('npm start has been busy for minutes');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = await cpuSecondsOf(pid);
    quiet = now - before > CALM_SHARE ? 0 : quiet + 1;
    before = now;
  }
}

/** CPU that a process has taken, where the machine tells; else NaN. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / TICKS_A_SECOND;
}
