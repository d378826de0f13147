import process from 'node:process';
import { describeAccounts } from './auth/accounts.ts';
import { describeIssues } from './control-api/control-api-error.ts';
import { createSimulator } from './simulator.ts';
import { simulatorOptionsSchema, type SimulatorOptions } from './simulator-options.ts';

/** Texts of the command line by option, in camelCase. */
export type SimulatorFlags = Readonly<Record<string, string | undefined>>;

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
  ${url}/simulator/requests/arrivals     GET: when the requests arrived
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

/** Returns the options, or an error that names the faulty flags. */
function readFlags(flags: SimulatorFlags): { options: SimulatorOptions } | { error: string } {
  const { host, seed, discordToken, port = '8090', latency, ...numbers } = flags;
  const result = simulatorOptionsSchema.safeParse({
    ...{ host, seed, discordToken, port: numberOf(port), latencyMs: numberOf(latency) },
    ...Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, numberOf(text)])),
  });
  return result.success ? { options: result.data } : { error: withFlagNames(describeIssues(result.error)) };
}

function withFlagNames(error: string): string {
  return error
    .replaceAll('openMatches:', 'open-matches:')
    .replaceAll('boardChanges:', 'board-changes:')
    .replaceAll('latencyMs:', 'latency:')
    .replaceAll('discordToken:', 'discord-token:')
    .replaceAll('Invalid input: expected number, received NaN', 'must be a number');
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
}
