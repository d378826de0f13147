import { messageOf } from '@lobbystats/errors';
import { createLogger, type Env } from '@lobbystats/service-kit';
import { collectOnce } from './collect-once.ts';
import { describeDestination, helpText, parseCommand } from './command-line.ts';
import { readCollectorConfig, type CollectorConfig } from './config.ts';
import { openReplay } from './context.ts';
import { createBusPublisher } from './messages/observation.publisher.ts';
import { replay } from './replay/replay.ts';
import { collectorService, type CollectorOverrides } from './service.ts';
import { createTitleAnnouncer } from './titles/title-announcer.ts';

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

/**
 * Publishes saved pages as observations of the past. Returns the exit code: 0 all, 1 nothing, 2 some lines were skipped.
 *
 * @param source a file or an http(s) URL with one page per line
 * @param say writes one line to the terminal
 */
async function replayPages(
  source: string,
  config: CollectorConfig,
  say: (line: string) => void,
  overrides: Pick<CollectorOverrides, 'bus' | 'clock' | 'logger'>,
): Promise<0 | 1 | 2> {
  const inMemory = { ...config, DATABASE_URL: 'sqlite::memory:' };
  return collectorService.withParts(inMemory, overrides, async (context) => {
    const { bus, store, now } = context;
    const publisher = createBusPublisher(bus);
    const { readers, lines } = await openReplay(source, context);
    const { slots, incomplete, boards, feeds, pages, faults } = await replay(lines, {
      readers,
      networkUrl: config.NETWORK_URL,
      publisher,
      announcer: createTitleAnnouncer(publisher, store.titles, true),
      onFault: (line, reason) => say(`line ${line}: ${reason}`),
      now: now(),
    });
    say(
      `Replayed ${slots} slots (${incomplete} incomplete), ${boards} leaderboards and ${feeds} feeds from ${pages} pages; ` +
        `${faults} lines, slots or leaderboards skipped.`,
    );
    if (slots + boards + feeds === 0) return 1;
    say(`  ${describeDestination(config.BUS_URL)}`);
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
