import { parseArgs } from 'node:util';
import { messageOf } from '@lobbystats/contracts/errors';
import { createLogger, describeFileError, UsageError, type Env, type Terminal } from '@lobbystats/service-kit';
import { collectOnce } from './collect-once.ts';
import { describeDestination, readCollectorConfig, type CollectorConfig } from './config.ts';
import { openReplay } from './context.ts';
import { createBusPublisher } from './messages/observation.bus.ts';
import { replay } from './replay/replay.ts';
import { collectorService, type CollectorOverrides } from './service.ts';
import { createTitleAnnouncer } from './titles/title-announcer.ts';

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
  const printLine = (line: string) => terminal.out(`${line}\n`);
  if (command.kind === 'replay') {
    const { bus, clock } = overrides;
    return replayPages(command.source, config, printLine, { ...(bus && { bus }), ...(clock && { clock }), logger });
  }
  return collectOnce(config, printLine, { ...overrides, logger, ...saveOverrides(command.saveTo) });
}

async function reportingErrors<Result>(terminal: Terminal, work: () => Promise<Result>): Promise<Result | number> {
  try {
    return await work();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.error(`collector: ${describeFileError(error)}${isUsage ? '; see npm run collector -- --help' : ''}\n`);
    return isUsage ? 2 : 1;
  }
}

/**
 * Publishes saved pages as observations of the past. Returns the exit code: 0 all, 1 nothing, 2 some lines were skipped.
 *
 * @param source a file or an http(s) URL with one page per line
 * @param printLine writes one line to the terminal
 */
async function replayPages(
  source: string,
  config: CollectorConfig,
  printLine: (line: string) => void,
  overrides: Pick<CollectorOverrides, 'bus' | 'clock' | 'logger'>,
): Promise<0 | 1 | 2> {
  const inMemory = { ...config, DATABASE_URL: 'sqlite::memory:' };
  return collectorService.withParts(inMemory, overrides, async (context) => {
    const { bus, store, now } = context;
    const publisher = createBusPublisher(bus);
    const { readers, nameOf, lines } = await openReplay(source, context);
    const { slots, incomplete, boards, feeds, pages, faults } = await replay(lines, {
      readers,
      nameOf,
      publisher,
      announcer: createTitleAnnouncer(publisher, store.titles, true),
      onFault: (line, reason) => printLine(`line ${line}: ${reason}`),
      now: now(),
    });
    printLine(
      `Replayed ${slots} slots (${incomplete} incomplete), ${boards} leaderboards and ${feeds} feeds from ${pages} pages; ` +
        `${faults} lines, slots or leaderboards skipped.`,
    );
    if (slots + boards + feeds === 0) return 1;
    printLine(`  ${describeDestination(config.BUS_URL)}`);
    return faults === 0 ? 0 : 2;
  });
}

function saveOverrides(saveTo: string | undefined): Pick<CollectorOverrides, 'saveTo'> {
  return saveTo === undefined ? {} : { saveTo };
}

/** A command's bus must outlive it: the default is the journal of `npm start`. An empty variable counts as unset. */
function commandBusUrl(env: Env): string {
  const { BUS_URL: url = '', DATA_DIR: directory = '' } = env;
  return url === '' ? `memory:${directory === '' ? './data' : directory}/bus.sqlite` : url;
}

type Command =
  | { kind: 'run'; saveTo: string | undefined }
  | { kind: 'help' }
  | { kind: 'once'; saveTo: string | undefined }
  | { kind: 'replay'; source: string };

const helpText = `The collector reads a network's pages and publishes observations on the bus.

  npm run collector                        collect every slot until stopped
  npm run collector -- --save FILE         the same, and save each page and feed as one line of FILE;
                                           leaderboards are read within an hour
  npm run collector -- --once              collect the current slot, print a summary and exit:
                                           0 complete, 1 nothing collected, 2 titles missing
  npm run collector -- --once --save FILE  the same, and save each page that was read
  npm run collector -- --replay FILE|URL   publish saved pages as past observations:
                                           0 all, 1 nothing, 2 lines, slots or leaderboards skipped
  npm run collector -- --help              this text

--once and --replay publish to BUS_URL; by default to memory:DATA_DIR/bus.sqlite (DATA_DIR: ./data), the journal of
npm start, which must not be running then. With BUS_URL=memory: no consumer receives the messages.

Format of a line: {"url": "…", "at": "YYYY-MM-DDTHH:MM:SSZ", "body": "<html>…"}. Lines are sorted by slot, and the
pages of a leaderboard in the order in which they were read.
Settings are environment variables; .env.example explains each.
`;

/** @throws UsageError */
function parseCommand(args: readonly string[]): Command {
  const values = parseOptions(args);
  if (values.help === true) return { kind: 'help' };
  if (values.once === true && values.replay !== undefined)
    throw new UsageError('--once and --replay exclude each other');
  if (values.save !== undefined && values.replay !== undefined)
    throw new UsageError('--save and --replay exclude each other');
  if (values.save === '' || values.replay === '') throw new UsageError('--save and --replay name a file');
  if (values.replay !== undefined) return { kind: 'replay', source: values.replay };
  return { kind: values.once === true ? 'once' : 'run', saveTo: values.save };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean' },
        once: { type: 'boolean' },
        save: { type: 'string' },
        replay: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
