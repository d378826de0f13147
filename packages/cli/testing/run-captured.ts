import type { Env } from '@lobbystats/service-kit';
import { runCli } from '../src/run-cli.ts';

/** Runs `npx lobbystats` and returns its exit code and output. */
export async function run(args: readonly string[], env: Env = {}, clock = Date.now) {
  const output = { out: '', error: '' };
  const code = await runCli(args, {
    env,
    clock,
    terminal: {
      out: (text) => void (output.out += text),
      error: (text) => void (output.error += text),
    },
  });
  return { code, ...output };
}
