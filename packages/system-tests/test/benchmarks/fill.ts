import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Benchmark } from './benchmark.ts';

const LIMIT_SECONDS = 75;
const LIMIT_MEGABYTES = 800;

/** A first start: the process of `npm start` with an empty data directory, until the backfill is complete. */
export const backfill: Benchmark = {
  name: 'fill',
  description:
    'a first start fills 30 days of 200 titles and 7 days of 3,000 leaderboards; simulator, bus and journal included',
  promise: 'a first start has 30 days of history within minutes',
  run: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lobbystats-fill-'));
    const began = performance.now();
    const env = {
      ...process.env,
      DATA_DIR: directory,
      PORT: '0',
      SIMULATOR_PORT: '0',
      METRICS_PORT: '0',
    };
    const main = join(import.meta.dirname, '../../../../services/standalone/src/main.ts');
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      await waitUntilStored(child);
      const seconds = (performance.now() - began) / 1000;
      const megabytes = peakMegabytes(child.pid);
      return [
        {
          what: 'time from start to the last stored slot',
          measured: `${seconds.toFixed(1)} s`,
          reference: `${LIMIT_SECONDS} s`,
          ratio: seconds / LIMIT_SECONDS,
          bound: 1,
        },
        {
          what: 'peak memory of the process',
          measured: `${megabytes.toFixed(0)} MB`,
          reference: `${LIMIT_MEGABYTES} MB`,
          ratio: megabytes / LIMIT_MEGABYTES,
          bound: 1,
        },
      ];
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** Reads the URL from the log, then polls the API until all slots of the backfill can be read. */
async function waitUntilStored(child: ChildProcess): Promise<void> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.resume();
  const urlIn = () => /ready: (http\S+)/.exec(output)?.[1];
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the process ended with code ${child.exitCode}:\n${output}`);
    const url = urlIn();
    if (url !== undefined) {
      const response = await fetch(`${url}/api/service-stats/online-24h?days=30`);
      const snapshots = (await response.json()) as unknown[];
      if (snapshots.length >= SNAPSHOTS) return;
    }
    await wait(POLL_MS);
  }
}

/** Often enough for a measurement of a minute. */
const POLL_MS = 250;
/** 30 days of 5-minute slots; the oldest ones expire during the backfill. */
const SNAPSHOTS = 30 * 288 - 2;

function peakMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
