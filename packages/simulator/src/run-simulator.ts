import process from 'node:process';

import { describeAccounts } from './auth/accounts.ts';
import { readFlags, type SimulatorFlags } from './command-line.ts';
import { createSimulator } from './simulator.ts';
import type { SimulatorOptions } from './simulator-options.ts';

interface Terminal {
  out(text: string): void;
  error(text: string): void;
}

/**
 * `npx lobbystats simulator`. SIGINT and SIGTERM stop the simulator.
 *
 * @returns the exit code: 0 started, 1 it can't listen, 2 wrong usage
 */
export async function runSimulator({ terminal }: { terminal: Terminal }, flags: SimulatorFlags): Promise<number> {
  const read = readFlags(flags);
  if ('options' in read) return run(read.options, terminal);
  terminal.error(`simulator: ${read.error}; see npx lobbystats simulator --help\n`);
  return 2;
}

async function run(options: SimulatorOptions, terminal: Terminal): Promise<number> {
  const simulator = createSimulator({ ...options, log: (line) => terminal.out(`${line}\n`) });
  let url: string;
  try {
    ({ url } = await simulator.start());
  } catch (error) {
    terminal.error(`${reasonOf(error)}\n`);
    return 1;
  }
  const titles = simulator.world.titlesAt(Math.floor(Date.now() / 1000)).length;
  terminal.out(`All its data is invented: ${titles} games, seed ${String(options.seed)}. Control API:
  ${url}/simulator/history?from=…&to=…   the past, as a feed
  ${url}/simulator/history/boards?…      the past of the leaderboards
  ${url}/simulator/history/players?…     the past of the players
  ${url}/simulator/accounts              accounts of the auth service
  ${url}/simulator/faults                GET, PUT: faults on demand
  ${url}/simulator/clock                 GET, PUT: the simulated time
  ${url}/simulator/requests              GET, DELETE: request counts by path
Accounts of its auth service, ${url}/api/auth (email, password, username):
${describeAccounts(simulator.accounts)}
Stop it with Ctrl+C.
`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void simulator.stop());
  }
  return 0;
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'The port is in use: choose another with --port, or 0 for any free one.';
  }
  return error instanceof Error ? error.message : String(error);
}
