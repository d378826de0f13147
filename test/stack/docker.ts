import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs the Docker command line; resolves to what it printed. */
export async function docker(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await run('docker', args, { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

/** The same, in front of whoever watches. @throws Error when it fails */
export async function dockerShown(args: readonly string[]): Promise<void> {
  const code = await shown('docker', args);
  if (code !== 0) throw new Error(`docker ${args.slice(0, 6).join(' ')} … ended with ${String(code)}`);
}

/** Runs a program that shares this one's terminal; resolves to its exit code, null when a signal ended it. */
export function shown(
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

/** Why there is no Docker engine with Compose here, or undefined when there is one. */
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
