import type { CollectorConfig } from './config.ts';
import { createReplayContext, type CollectorOverrides } from './context.ts';
import { replay } from './domain/replay.ts';
import { createTitleAnnouncer } from './domain/title-announcer.ts';
import { createBusOutlet } from './messaging/bus-outlet.ts';
import { publishedWhere } from './published-where.ts';

/**
 * Publishes saved pages as observations of the past. Returns the exit code: 0 all, 1 nothing, 2 some lines were skipped.
 *
 * @param source a file or a http(s) URL, a page a line
 * @param say takes each line for people
 * @returns 0: all of it. 1: nothing at all. 2: not all of it, and each line that wasn't used was told.
 */
export async function replayPages(
  source: string,
  config: CollectorConfig,
  say: (line: string) => void,
  overrides: CollectorOverrides = {},
): Promise<0 | 1 | 2> {
  const { bus, titles, readers, lines, time, closers } = await createReplayContext(source, config, overrides);
  try {
    const outlet = createBusOutlet(bus);
    const { slots, incomplete, boards, feeds, pages, faults } = await replay(lines, {
      readers,
      networkUrl: config.NETWORK_URL,
      outlet,
      announcer: createTitleAnnouncer(outlet, titles, true),
      onFault: (line, reason) => say(`line ${line}: ${reason}`),
      now: Math.floor(time.now() / 1000),
    });
    say(
      `Replayed ${slots} slots (${incomplete} incomplete), ${boards} leaderboards and ${feeds} feeds from ${pages} pages; ` +
        `${faults} lines, slots or leaderboards left out.`,
    );
    if (slots + boards + feeds === 0) return 1;
    say(`  ${publishedWhere(config.BUS_URL)}`);
    return faults === 0 ? 0 : 2;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
