import { describeIssues } from './control-api/control-api-error.ts';
import { simulatorOptionsSchema, type SimulatorOptions } from './simulator-options.ts';

/** Texts of the command line by option, in camelCase. */
export type SimulatorFlags = Readonly<Record<string, string | undefined>>;

/** Returns the options, or an error that names the faulty flags. */
export function readFlags(flags: SimulatorFlags): { options: SimulatorOptions } | { error: string } {
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
