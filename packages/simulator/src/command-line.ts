import { describeIssues } from './control-api/control-api-error.ts';
import { simulatorOptionsSchema, type SimulatorOptions } from './simulator-options.ts';

const DEFAULT_PORT = 8090;

type FlagName =
  | 'port'
  | 'host'
  | 'seed'
  | 'titles'
  | 'boards'
  | 'entries'
  | 'boardChanges'
  | 'players'
  | 'openMatches'
  | 'skew'
  | 'latency'
  | 'discordToken';

/** Texts of the command line. */
export type SimulatorFlags = Readonly<Partial<Record<FlagName, string>>>;

/** Returns the options, or an error that names the faulty flags. */
export function readFlags(flags: SimulatorFlags): { options: SimulatorOptions } | { error: string } {
  const { host, seed, discordToken } = flags;
  const result = simulatorOptionsSchema.safeParse({
    host,
    seed,
    discordToken,
    port: numberOf(flags.port) ?? DEFAULT_PORT,
    titles: numberOf(flags.titles),
    boards: numberOf(flags.boards),
    entries: numberOf(flags.entries),
    boardChanges: numberOf(flags.boardChanges),
    players: numberOf(flags.players),
    openMatches: numberOf(flags.openMatches),
    skew: numberOf(flags.skew),
    latencyMs: numberOf(flags.latency),
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
