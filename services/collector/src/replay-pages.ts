import type { CollectorConfig } from './config.ts';
import { openReplay } from './context.ts';
import { replay } from './replay/replay.ts';
import { createTitleAnnouncer } from './titles/title-announcer.ts';
import { createBusPublisher } from './messages/observation.publisher.ts';
import { describeDestination } from './describe-destination.ts';
import { collectorService, type CollectorOverrides } from './service.ts';

/**
 * Publishes saved pages as observations of the past. Returns the exit code: 0 all, 1 nothing, 2 some lines were skipped.
 *
 * @param source a file or an http(s) URL with one page per line
 * @param say writes one line to the terminal
 */
export async function replayPages(
  source: string,
  config: CollectorConfig,
  say: (line: string) => void,
  overrides: Pick<CollectorOverrides, 'bus' | 'clock' | 'logger'> = {},
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
