import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../../../services/standalone/src/main.ts');

/** Runs `npm start` as a child process. Resolves when it is ready. */
export async function startStandalone(
  env: Readonly<Record<string, string>>,
): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => void child.kill('SIGKILL');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /is ready: (\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    // Keeps draining the pipe, so that the process never blocks.
    child.stdout.resume();
    return { url, stop };
  }
  throw new Error('npm start ended before it was ready');
}
