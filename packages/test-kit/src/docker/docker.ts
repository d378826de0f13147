import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '../eventually.ts';

const run = promisify(execFile);

/** Runs the Docker command line. Resolves to its output. */
export async function docker(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await run('docker', args, { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

/** All processes of the container stop at once. A busy engine may fail to stop them at the first try. */
export async function pauseContainer(container: string): Promise<void> {
  await eventually(() => docker(['pause', container]), { everyMs: 500 });
}

export async function unpauseContainer(container: string): Promise<void> {
  await docker(['unpause', container]);
}

/** Runs the Docker command line with inherited output. @throws Error when it fails */
export async function dockerInherited(args: readonly string[]): Promise<void> {
  const code = await runInherited('docker', args);
  if (code !== 0) throw new Error(`docker ${args.slice(0, 6).join(' ')} … ended with ${String(code)}`);
}

/** Runs a program with inherited stdio. Resolves to its exit code, or null after a signal. */
export function runInherited(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('error', reject);
    child.once('close', resolve);
  });
}

/** The reason why no Docker engine with Compose is available, or undefined. */
export async function engineFault(): Promise<string | undefined> {
  try {
    await docker(['info']);
    await docker(['compose', 'version']);
    return undefined;
  } catch (error) {
    const [line = 'no answer'] = (error instanceof Error ? error.message : String(error)).split('\n').slice(-2);
    return line;
  }
}
