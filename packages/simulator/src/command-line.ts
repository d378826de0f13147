import { parseArgs } from 'node:util';

import { describeIssues } from './control-api/control-api-error.ts';
import { simulatorOptionsSchema } from './simulator-options.ts';
import type { SimulatorOptions } from './simulator-options.ts';

const DEFAULT_PORT = 8090;

/** Text of `--help`. */
export const USAGE = `Usage: npm run simulator -- [options]

Serves a simulated gaming network on this machine: a homepage, a page for each game, leaderboards, feeds of
events and players, icons; beside it an auth service at /api/auth/ and Discord at /discord/; and a control
API at /simulator/ for the past, accounts to log in with, faults and the clock. The same seed and time give the same
network.

  --port N            port to listen on, 0 takes any free one (${DEFAULT_PORT})
  --host ADDRESS      address to listen on (127.0.0.1)
  --seed TEXT         each seed gives another network (1)
  --titles N          titles (200)
  --boards N          leaderboards of all titles together (3000)
  --entries N         entries of all leaderboards together (500000)
  --board-changes N   share of the leaderboards that change in an hour, at most 1 (0.01)
  --players N         gamertags (25000)
  --open-matches N    matches that are open in an average slot (80)
  --skew N            how unevenly titles are played, 0 makes them equal (1.1)
  --latency MS        delay of each response of the network, in milliseconds (0)
  --discord-token T   the bot token that Discord requires (any or none)
  --help              this text
`;

export type CommandLine =
  { kind: 'run'; options: SimulatorOptions } | { kind: 'help' } | { kind: 'bad'; error: string };

const FLAGS = {
  port: { type: 'string' },
  host: { type: 'string' },
  seed: { type: 'string' },
  titles: { type: 'string' },
  boards: { type: 'string' },
  entries: { type: 'string' },
  'board-changes': { type: 'string' },
  players: { type: 'string' },
  'open-matches': { type: 'string' },
  skew: { type: 'string' },
  latency: { type: 'string' },
  'discord-token': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true });
    if (values.help === true) return { kind: 'help' };
    const rawOptions = {
      port: numberOf(values.port) ?? DEFAULT_PORT,
      host: values.host,
      seed: values.seed,
      titles: numberOf(values.titles),
      boards: numberOf(values.boards),
      entries: numberOf(values.entries),
      boardChanges: numberOf(values['board-changes']),
      players: numberOf(values.players),
      openMatches: numberOf(values['open-matches']),
      skew: numberOf(values.skew),
      latencyMs: numberOf(values.latency),
      discordToken: values['discord-token'],
    };
    const result = simulatorOptionsSchema.safeParse(rawOptions);
    return result.success
      ? { kind: 'run', options: result.data }
      : { kind: 'bad', error: withFlagNames(describeIssues(result.error)) };
  } catch (error) {
    return { kind: 'bad', error: error instanceof Error ? error.message : String(error) };
  }
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
