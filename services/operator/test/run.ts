import type { Env, Terminal } from '@lobbystats/service-kit';
import { NOW } from './filled-standalone.ts';

type Command = (
  args: readonly string[],
  env: Env,
  parts: { clock: () => number; terminal: Terminal },
) => Promise<number>;

/** Runs a command; its exit code, and what it says. */
export async function run(command: Command, args: readonly string[], env: Env = {}) {
  const said = { out: '', error: '' };
  const terminal: Terminal = {
    out: (text) => void (said.out += text),
    error: (text) => void (said.error += text),
  };
  const code = await command(args, env, { clock: () => (NOW + 90) * 1000, terminal });
  return { code, ...said };
}
