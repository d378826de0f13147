import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createSimulator } from '@lobbystats/simulator';
import { cleanUp, fixedClock, temporaryDirectory, type Scope } from '@lobbystats/test-kit';
import { systemEnv } from './run-system.ts';

/** The whole system in a process of its own, at a time that stands still. */
export interface SystemProcess {
  readonly url: string;
  /** What it has written, its log and what it has loaded. */
  readonly written: { out: string; err: string };
  /** Tells it to stop; gives its exit code. */
  readonly stop: () => Promise<{ code: number | null }>;
}

/** Starts one and its network. */
export async function runSystemProcess(env: Record<string, string>, scope: Scope = 'test'): Promise<SystemProcess> {
  const clock = fixedClock('2026-01-31T12:00:05Z');
  const simulator = createSimulator({ clock, titles: 20, openMatches: 10, boards: 10, entries: 200 });
  cleanUp(() => simulator.stop(), scope);
  const network = await simulator.start();
  const fixtures = join(import.meta.dirname, 'fixtures');
  const child = spawn(
    process.execPath,
    ['--import', join(fixtures, 'tell-loaded.ts'), join(fixtures, 'system-process-main.ts'), String(clock())],
    { env: systemEnv(temporaryDirectory(scope), network.url, { LOG_FORMAT: 'json', ...env }) },
  );
  cleanUp(() => child.kill('SIGKILL'), scope);
  const written = { out: '', err: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    written.err += chunk.toString();
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      written.out += chunk.toString();
      const [, url] = /^ready (.+)$/m.exec(written.out) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const unready = ended.then(() => {
    throw new Error(`it ended before it was ready: ${written.out}${written.err}`);
  });
  const url = await Promise.race([ready, unready]);
  unready.catch(() => undefined);
  return {
    url,
    written,
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await ended;
      return { code };
    },
  };
}
