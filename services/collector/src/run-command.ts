import { messageOf } from '@lobbystats/errors';
import { createLogger, type Env } from '@lobbystats/service-kit';
import { collectOnce } from './collect-once.ts';
import { helpText, parseCommand } from './command-line.ts';
import { readCollectorConfig } from './config.ts';
import { replayPages } from './replay-pages.ts';
import type { CollectorOverrides } from './service.ts';

export interface Output {
  out: (text: string) => void;
  err: (text: string) => void;
}

export async function runCommand(
  args: readonly string[],
  env: Env,
  { out, err }: Output,
  overrides: CollectorOverrides = {},
): Promise<number | Pick<CollectorOverrides, 'saveTo'>> {
  try {
    const command = parseCommand(args);
    if (command.kind === 'run') return saveOverrides(command.saveTo);
    if (command.kind === 'help') {
      out(helpText);
      return 0;
    }
    const config = readCollectorConfig({ ...env, BUS_URL: commandBusUrl(env) });
    const { LOG_LEVEL: level, LOG_FORMAT: format } = config;
    const logger = overrides.logger ?? createLogger({ service: 'collector', level, format, write: err });
    const say = (line: string) => out(`${line}\n`);
    if (command.kind === 'replay') {
      const { bus, clock } = overrides;
      return await replayPages(command.source, config, say, { ...(bus && { bus }), ...(clock && { clock }), logger });
    }
    return await collectOnce(config, say, { ...overrides, logger, ...saveOverrides(command.saveTo) });
  } catch (error) {
    err(`collector: ${messageOf(error)}\n`);
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
