import { RefusalError } from '@lobbystats/errors';
import { completeHooks, type BusHooks } from './bus-hooks.ts';
import { InProcessBus } from './in-process/in-process-bus.ts';
import { journalPlace } from './in-process/journal-place.ts';
import { openJournal } from './in-process/journal.ts';
import { openJournalDeadLetters } from './in-process/open-dead-letters.ts';
import type { DeadLetterOffice, MessageBus } from './message-bus.ts';

/** A bus URL that can't be opened. The message names its scheme alone: the rest may hold a password. */
export class BusUrlError extends RefusalError {
  override readonly name = 'BusUrlError';
}

export interface OpenBusOptions {
  /** `memory:` for a bus that lives as long as the process, `memory:PATH` for one that outlives it in a file. */
  url: string;
  /** The network that the bus speaks of. */
  origin: string;
  /** Tracing, logs and metrics. Default: a fresh trace for each message, and silence. */
  hooks?: Partial<BusHooks>;
  /** Epoch milliseconds. Default: `Date.now`. */
  clock?: () => number;
}

const WATCH_MS = 1000;

/**
 * Opens a bus by its URL.
 *
 * @throws BusUrlError when no adapter has this URL's scheme
 * @throws JournalInUseError when another process has the journal
 * @throws StoreRefusedError when the journal belongs to another network or to newer code, or its file can't be used
 */
export async function openBus({ url, origin, hooks, clock = Date.now }: OpenBusOptions): Promise<MessageBus> {
  expectMemory(url);
  const journal = openJournal(journalPlace(url), origin);
  return new InProcessBus({ journal, origin, hooks: completeHooks(hooks), clock, watchMs: WATCH_MS });
}

/**
 * Opens the dead letters of a bus, in use or not.
 *
 * @throws BusUrlError when no adapter has this URL's scheme, or the bus lives in its process alone
 * @throws NoJournalError when no bus was ever opened there
 * @throws StoreRefusedError when the file isn't a journal, or one of another release
 */
export async function openDeadLetters({ url }: { url: string }): Promise<DeadLetterOffice> {
  expectMemory(url);
  const { path, durable } = journalPlace(url);
  if (!durable) {
    throw new BusUrlError(
      'A bus at memory: lives in its own process alone: dead letters of memory:PATH can be reached',
    );
  }
  return openJournalDeadLetters(path);
}

function expectMemory(url: string): void {
  if (url.startsWith('memory:')) return;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
  throw new BusUrlError(
    scheme === 'amqp:' || scheme === 'amqps:'
      ? `This build has no RabbitMQ adapter yet: ${scheme} can't be opened; use memory: or memory:PATH`
      : `A bus URL is memory: or memory:PATH, not ${scheme ?? 'without a scheme'}`,
  );
}
