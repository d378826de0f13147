import { pageWanted, parseInstant } from '@lobbystats/contracts';
import { handle, type MessageBus, type Running } from '@lobbystats/message-bus';
import type { PageReadingWork } from '../domain/page-reading.ts';
import type { Backoff } from '../domain/time.ts';

export interface PageConsumerOptions {
  /** Pages in hand at once, those included that wait for their turn. */
  prefetch: number;
  /** The wait before a page that couldn't be had is asked for again. */
  backoffMs: Backoff;
}

/**
 * Reads the pages that are wanted. A page that couldn't be had comes again until it expires with its slot: no number of
 * failures makes it a dead letter.
 */
export function consumePages(
  bus: MessageBus,
  readPage: PageReadingWork,
  { prefetch, backoffMs }: PageConsumerOptions,
): Promise<Running> {
  const handler = handle(pageWanted, async ({ data: { slot, ...job } }) => {
    await readPage({ slot: parseInstant(slot), ...job });
  });
  return bus.consume({ queue: 'collector', handlers: [handler], prefetch, backoffMs, attempts: Infinity });
}
