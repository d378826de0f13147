import { parseArgs } from 'node:util';
import { messageOf } from '@lobbystats/contracts/errors';
import { createLogger, describeFileError, UsageError, type Env, type Terminal } from '@lobbystats/service-kit';
import { collectOnce } from './collect-once.ts';
import { readCollectorConfig } from './config.ts';
import type { CollectorOverrides } from './service.ts';

/** Runs a command line. Returns an exit code, or overrides of a collector that shall run as a service. */
export async function runCommand(
  args: readonly string[],
  env: Env,
  terminal: Terminal,
  overrides: CollectorOverrides = {},
): Promise<number | Pick<CollectorOverrides, 'saveTo'>> {
  try {
    const { help = false, once = false, save } = parseOptions(args);
    const saving = save === undefined ? {} : { saveTo: save };
    if (help) terminal.out(helpText);
    if (help) return 0;
    if (!once) return saving;
    const config = readCollectorConfig({ ...env, BUS_URL: commandBusUrl(env) });
    const write = (text: string) => terminal.error(text);
    const logger = overrides.logger ?? createLogger({ service: 'collector', level: config.LOG_LEVEL, write });
    return await collectOnce(config, (line) => terminal.out(`${line}\n`), { ...overrides, logger, ...saving });
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.error(`collector: ${describeFileError(error)}${isUsage ? '; see npm run collector -- --help' : ''}\n`);
    return isUsage ? 2 : 1;
  }
}

/** A command's bus must outlive it: the default is the journal of `npm start`. An empty variable counts as unset. */
function commandBusUrl(env: Env): string {
  const { BUS_URL: url = '', DATA_DIR: directory = '' } = env;
  return url === '' ? `memory:${directory === '' ? './data' : directory}/bus.sqlite` : url;
}

const helpText = `The collector reads a network's pages and publishes observations on the bus.

  npm run collector                        collect every slot until stopped
  npm run collector -- --save FILE         the same, and save each page and feed as one line of FILE, for
                                           npx lobbystats network try FILE
  npm run collector -- --once              collect the current slot, print a summary and exit:
                                           0 complete, 1 nothing collected, 2 titles missing
  npm run collector -- --once --save FILE  the same, and save each page
  npm run collector -- --help              this text

--once publishes to BUS_URL; by default to memory:DATA_DIR/bus.sqlite (DATA_DIR: ./data), the journal of npm start, which
must not be running then. With BUS_URL=memory: no consumer receives the messages.
Settings are environment variables; .env.example explains each.
`;

/** @throws UsageError */
function parseOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { help: { type: 'boolean' }, once: { type: 'boolean' }, save: { type: 'string' } },
    });
    if (values.save === '') throw new Error('--save names a file');
    return values;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
