import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { operations } from '@lobbystats/contracts';
import { Pool } from 'undici';
import type { Benchmark } from './benchmark.ts';

const RATINGS = 20_000;
const SECONDS = 10;
const AT_ONCE = 64;
const KNOWN_WITHIN_MS = 120_000;
const MAIN = join(import.meta.dirname, '../services/standalone/src/main.ts');

/** Distinct people rate one profile, through the gateway of the whole system in a process of its own. */
export const ratings: Benchmark = {
  name: 'ratings',
  about: `${RATINGS} ratings of one profile by as many people whose sessions are verified, in npm start`,
  run: async (say) => {
    const stack = new AsyncDisposableStack();
    try {
      const authUrl = await startAuth(stack);
      const { url, simulatorUrl } = await startSystem(authUrl, stack);
      const pool = new Pool(url, { connections: AT_ONCE });
      stack.defer(() => pool.destroy());
      const path = operations.rateProfile.path.replace(
        ':username',
        encodeURIComponent(await somebody(url, simulatorUrl)),
      );

      const warming = await timesOf(AT_ONCE, async (number) => {
        const { body } = await pool.request({ method: 'GET', path, headers: { 'x-session-key': keyOf(number) } });
        await body.dump();
      });
      say(`${RATINGS} sessions were verified in ${(warming / 1000).toFixed(1)} s`);
      const before = await reputation(url, path);
      const took = await timesOf(AT_ONCE, async (number) => {
        const { statusCode, body } = await pool.request({
          method: 'POST',
          path,
          headers: { 'x-session-key': keyOf(number), 'content-type': 'application/json' },
          body: JSON.stringify({ stars: starsOf(number) }),
        });
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`A rating was answered with ${statusCode}: ${text}`);
      });
      const after = await reputation(url, path);
      expectExact(before, after);
      const seconds = took / 1000;
      return [
        {
          what: `${RATINGS} ratings, all there once and the average exact`,
          measured: `${seconds.toFixed(1)} s (${Math.round(RATINGS / seconds)} a second)`,
          against: `${SECONDS} s`,
          ratio: seconds / SECONDS,
          bound: 1,
        },
      ];
    } finally {
      await stack.disposeAsync();
    }
  },
};

const keyOf = (number: number) => `bench-session-${number}`;
const starsOf = (number: number) => 1 + (number % 5);

/** An auth service to whom every key is somebody's. */
async function startAuth(stack: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { sessionKey } = JSON.parse(text) as { sessionKey: string };
      const username = `Rater ${sessionKey.slice(keyOf(0).length - 1)}`;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ valid: true, username, email: 'rater@example.com' }));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  stack.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** `npm start` with a day of play time and nothing else of the past. */
async function startSystem(
  authUrl: string,
  stack: AsyncDisposableStack,
): Promise<{ url: string; simulatorUrl: string }> {
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
    return { url, simulatorUrl };
  }
  throw new Error('npm start ended before it was ready');
}

/** One of the network's accounts that has come to be known. */
async function somebody(url: string, simulatorUrl: string): Promise<string> {
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

interface Reputation {
  average: number;
  ratingCount: number;
}

async function reputation(url: string, path: string): Promise<Reputation> {
  return (await (await fetch(url + path)).json()) as Reputation;
}

function expectExact(before: Reputation, after: Reputation): void {
  const stars = Array.from({ length: RATINGS }, (_, number) => starsOf(number)).reduce((sum, one) => sum + one, 0);
  const average = Math.round((100 * (50 + stars)) / (10 + RATINGS)) / 100;
  const isExact = before.ratingCount === 0 && after.ratingCount === RATINGS && after.average === average;
  if (!isExact) throw new Error(`${JSON.stringify(after)}, where ${RATINGS} and ${average} were expected`);
}

/** Milliseconds for all of them, so many at once. */
async function timesOf(atOnce: number, work: (number: number) => Promise<void>): Promise<number> {
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < RATINGS) {
        const number = next;
        next += 1;
        await work(number);
      }
    }),
  );
  return performance.now() - began;
}
