import { messageOf } from '@lobbystats/errors';
import { createLogger, type Env } from '@lobbystats/service-kit';
import { collectOnce } from './collect-once.ts';
import { help, readCommand } from './command-line.ts';
import { readCollectorConfig } from './config.ts';
import type { CollectorOverrides } from './context.ts';
import { replayPages } from './replay-pages.ts';

/** Where a command writes: what was asked for, and everything else. */
export interface Output {
  out: (text: string) => void;
  err: (text: string) => void;
}

/**
 * Does what the arguments ask for, if that isn't to run as a service.
 *
 * @returns the process's exit code; or with what it shall run as a service
 */
export async function runCommand(
  args: readonly string[],
  env: Env,
  { out, err }: Output,
  overrides: CollectorOverrides = {},
): Promise<number | Pick<CollectorOverrides, 'saveTo'>> {
  try {
    const command = readCommand(args);
    if (command.kind === 'run') return savingTo(command.saveTo);
    if (command.kind === 'help') {
      out(help);
      return 0;
    }
    const config = readCollectorConfig({ ...env, BUS_URL: commandBusUrl(env) });
    const { LOG_LEVEL: level, LOG_FORMAT: format } = config;
    const logger = overrides.logger ?? createLogger({ service: 'collector', level, format, write: err });
    const say = (line: string) => out(`${line}\n`);
    if (command.kind === 'replay') return await replayPages(command.source, config, say, { ...overrides, logger });
    return await collectOnce(config, say, { ...overrides, logger, ...savingTo(command.saveTo) });
  } catch (error) {
    err(`collector: ${messageOf(error)}\n`);
    return 1;
  }
}

function savingTo(saveTo: string | undefined): Pick<CollectorOverrides, 'saveTo'> {
  return saveTo === undefined ? {} : { saveTo };
}

/**
 * A command's bus must outlive it, or nobody ever hears what it says: by default it is the journal of `npm start`, as for
 * `npm run dlq`. An empty variable counts as unset.
 */
function commandBusUrl(env: Env): string {
  const { BUS_URL: url = '', DATA_DIR: directory = '' } = env;
  return url === '' ? `memory:${directory === '' ? './data' : directory}/bus.sqlite` : url;
}
