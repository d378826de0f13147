import type { Env, Terminal } from '@lobbystats/service-kit';
import { NOW } from './seed-standalone.ts';

type Command = (
  args: readonly string[],
  env: Env,
  parts: { clock: () => number; terminal: Terminal },
) => Promise<number>;

/** Runs a command and returns its exit code and output. */
export async function run(command: Command, args: readonly string[], env: Env = {}) {
  const output = { out: '', error: '' };
  const terminal: Terminal = {
    out: (text) => void (output.out += text),
    error: (text) => void (output.error += text),
  };
  const code = await command(args, env, { clock: () => (NOW + 90) * 1000, terminal });
  return { code, ...output };
}
