import { execFile, type ExecFileOptions } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program. @returns its standard output. @throws Error with its output if it fails */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      maxBuffer: 64 * 1024 * 1024,
      ...options,
      encoding: 'utf8',
    });
    return stdout;
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause });
  }
}
