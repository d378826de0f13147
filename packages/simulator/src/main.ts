import process from 'node:process';

import { describeAccounts } from './auth/accounts.ts';
import { readCommandLine, USAGE } from './command-line.ts';
import { createSimulator } from './simulator.ts';
import type { SimulatorOptions } from './simulator-options.ts';

const commandLine = readCommandLine(process.argv.slice(2));
if (commandLine.kind === 'run') await run(commandLine.options);
else if (commandLine.kind === 'help') console.log(USAGE);
else fail(2, `${commandLine.error}\nnpm run simulator -- --help lists the options.`);

async function run(options: SimulatorOptions): Promise<void> {
  const simulator = createSimulator({ ...options, log: (line) => console.log(line) });
  const { url } = await simulator.start().catch((error: unknown) => fail(1, reasonOf(error)));
  const titles = simulator.world.titlesAt(Math.floor(Date.now() / 1000)).length;
  console.log(`All its data is invented: ${titles} games, seed ${String(options.seed)}. Control API:
  ${url}/simulator/history?from=…&to=…   the past, as a feed
  ${url}/simulator/history/boards?…      the past of the leaderboards
  ${url}/simulator/history/players?…     the past of the players
  ${url}/simulator/accounts              accounts of the auth service
  ${url}/simulator/faults                GET, PUT: faults on demand
  ${url}/simulator/clock                 GET, PUT: the simulated time
  ${url}/simulator/requests              GET, DELETE: request counts by path
Accounts of its auth service, ${url}/api/auth (email, password, username):
${describeAccounts(simulator.accounts)}
Stop it with Ctrl+C.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void simulator.stop());
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'The port is in use: choose another with --port, or 0 for any free one.';
  }
  return error instanceof Error ? error.message : String(error);
}

function fail(exitCode: number, message: string): never {
  console.error(message);
  process.exit(exitCode);
}
