import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp } from '@lobbystats/test-kit';
import { systemEnv } from '../standalone/run-system.ts';

/** A release that runs in the standalone form with a fixed clock. */
export interface RunningRelease {
  readonly url: string;
  /** Stops the process. SIGTERM stops it gracefully. Resolves to its exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** The directory of a release, its data, and the network that it observes. */
export interface ReleaseOptions {
  readonly tree: string;
  readonly data: string;
  readonly networkUrl: string;
  readonly nowMs: number;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts it. Resolves when it is ready. @throws Error with its log when it ends before */
export async function startRelease({ tree, data, networkUrl, nowMs, env }: ReleaseOptions): Promise<RunningRelease> {
  const main = join(tree, 'packages/system-tests/test/standalone/fixtures/system-process-main.ts');
  const child = spawn(process.execPath, [main, String(nowMs)], {
    cwd: tree,
    env: systemEnv(data, networkUrl, { LOG_FORMAT: 'json', LOG_LEVEL: 'warn', ...env }),
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  cleanUp(() => child.kill('SIGKILL'), 'file');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, url] = /^ready (.+)$/m.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const unready = ended.then(() => {
    throw new Error(`the release ended before it was ready: ${output}`);
  });
  unready.catch(() => undefined);
  return {
    url: await Promise.race([ready, unready]),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

/** Runs `npx lobbystats` of a release. Resolves to its output. @throws Error when it fails */
export async function runReleaseCli(
  tree: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const main = join(tree, 'packages/cli/src/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { cwd: tree, env });
  return stdout;
}
