import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createSimulator } from '@lobbystats/simulator';
import { cleanUp, fixedClock, temporaryDirectory, type Scope } from '@lobbystats/test-kit';
import { systemEnv } from './run-system.ts';

/** The standalone system as a child process with a fixed clock. */
export interface SystemProcess {
  readonly url: string;
  /** Output: log lines and loaded packages. */
  readonly output: { out: string; err: string };
  /** Sends SIGTERM. Resolves to the exit code. */
  readonly stop: () => Promise<{ code: number | null }>;
}

/** Starts the system and its simulated network. */
export async function runSystemProcess(env: Record<string, string>, scope: Scope = 'test'): Promise<SystemProcess> {
  const clock = fixedClock('2026-01-31T12:00:05Z');
  const simulator = createSimulator({ clock, titles: 20, openMatches: 10, boards: 10, entries: 200 });
  cleanUp(() => simulator.stop(), scope);
  const network = await simulator.start();
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'fixtures/system-process-main.ts'), String(clock())],
    { env: systemEnv(temporaryDirectory(scope), network.url, env) },
  );
  cleanUp(() => child.kill('SIGKILL'), scope);
  const output = { out: '', err: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    output.err += chunk.toString();
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output.out += chunk.toString();
      const [, url] = /^ready (.+)$/m.exec(output.out) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const unready = ended.then(() => {
    throw new Error(`it ended before it was ready: ${output.out}${output.err}`);
  });
  const url = await Promise.race([ready, unready]);
  unready.catch(() => undefined);
  return {
    url,
    output,
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await ended;
      return { code };
    },
  };
}
