import { messageOf } from '@lobbystats/errors';
import { createLogger, type Env, type Terminal } from '@lobbystats/service-kit';
import { collectOnce } from './collect-once.ts';
import { helpText, parseCommand, type Command } from './command-line.ts';
import { readCollectorConfig } from './config.ts';
import type { CollectorOverrides } from './context.ts';
import { replayPages } from './replay-pages.ts';

/** Runs a command line. Returns an exit code, or overrides of a collector that shall run as a service. */
export async function runCommand(
  args: readonly string[],
  env: Env,
  terminal: Terminal,
  overrides: CollectorOverrides = {},
): Promise<number | Pick<CollectorOverrides, 'saveTo'>> {
  return reportingErrors(terminal, async () => {
    const command = parseCommand(args);
    if (command.kind === 'run') return saveOverrides(command.saveTo);
    if (command.kind !== 'help') return runToEnd(command, env, terminal, overrides);
    terminal.out(helpText);
    return 0;
  });
}

/**
 * Publishes saved pages as past observations.
 *
 * @param source a file or an http(s) URL
 * @returns the exit code: 0 all, 1 nothing, or it failed, 2 lines, slots or leaderboards skipped
 */
export async function runReplay({ env, terminal }: { env: Env; terminal: Terminal }, source: string): Promise<number> {
  return reportingErrors(terminal, () => runToEnd({ kind: 'replay', source }, env, terminal, {}));
}

async function runToEnd(
  command: Extract<Command, { kind: 'once' | 'replay' }>,
  env: Env,
  terminal: Terminal,
  overrides: CollectorOverrides,
): Promise<number> {
  const config = readCollectorConfig({ ...env, BUS_URL: commandBusUrl(env) });
  const { LOG_LEVEL: level, LOG_FORMAT: format } = config;
  const write = (text: string) => terminal.error(text);
  const logger = overrides.logger ?? createLogger({ service: 'collector', level, format, write });
  const say = (line: string) => terminal.out(`${line}\n`);
  if (command.kind === 'replay') return replayPages(command.source, config, say, { ...overrides, logger });
  return collectOnce(config, say, { ...overrides, logger, ...saveOverrides(command.saveTo) });
}

async function reportingErrors<Result>(terminal: Terminal, work: () => Promise<Result>): Promise<Result | number> {
  try {
    return await work();
  } catch (error) {
    terminal.error(`collector: ${messageOf(error)}\n`);
    return 1;
  }
}

function saveOverrides(saveTo: string | undefined): Pick<CollectorOverrides, 'saveTo'> {
  return saveTo === undefined ? {} : { saveTo };
}

/** A command's bus must outlive it: the default is the journal of `npm start`. An empty variable counts as unset. */
function commandBusUrl(env: Env): string {
  const { BUS_URL: url = '', DATA_DIR: directory = '' } = env;
  return url === '' ? `memory:${directory === '' ? './data' : directory}/bus.sqlite` : url;
}
