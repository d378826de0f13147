import type { ServiceName } from '@lobbystats/contracts';
import { RefusalError } from '@lobbystats/errors';
import { completeHooks, type BusHooks } from './bus-hooks.ts';
import { InProcessBus } from './in-process/in-process-bus.ts';
import { journalPlace } from './in-process/journal-place.ts';
import { openJournal } from './in-process/journal.ts';
import { openJournalDeadLetters } from './in-process/open-dead-letters.ts';
import type { DeadLetterOffice, MessageBus } from './message-bus.ts';

export class BusUrlError extends RefusalError {
  override readonly name = 'BusUrlError';
}

export interface OpenBusOptions {
  /** `memory:` in memory, `memory:PATH` in a file, `amqp(s)://user:password@host:port/vhost` for RabbitMQ. */
  url: string;
  origin: string;
  hooks?: Partial<BusHooks>;
  clock?: () => number;
  /** Names connections and limits what must exist. Default: everything. */
  service?: ServiceName;
}

const WATCH_MS = 1000;

/**
 * Opens a bus by its URL.
 *
 * @throws BusUrlError when no adapter has this URL's scheme
 * @throws JournalInUseError when another process has the journal
 * @throws StoreRefusedError when the journal belongs to another network or to newer code, or its file can't be used
 * @throws RefusalError when RabbitMQ doesn't come up within half a minute, refuses the user, or isn't prepared
 */
export async function openBus(options: OpenBusOptions): Promise<MessageBus> {
  const { url, origin, hooks, clock = Date.now, service } = options;
  if (isRabbitMq(url)) {
    // Loads the RabbitMQ driver on demand.
    const { openRabbitMqBus } = await import('./rabbitmq/open-rabbitmq.ts');
    return openRabbitMqBus({ url, origin, hooks: completeHooks(hooks), clock, service });
  }
  expectMemory(url);
  const journal = openJournal(journalPlace(url), origin);
  return new InProcessBus({ journal, origin, hooks: completeHooks(hooks), clock, watchMs: WATCH_MS });
}

/**
 * Opens a bus's dead letters, also while it is in use.
 *
 * @throws BusUrlError when no adapter has this URL's scheme, or the bus lives in its process alone
 * @throws NoJournalError when no bus was ever opened there
 * @throws StoreRefusedError when the file isn't a journal, or one of another release
 * @throws RefusalError when RabbitMQ can't be reached, refuses the user, or isn't prepared
 */
export async function openDeadLetters({ url }: { url: string }): Promise<DeadLetterOffice> {
  if (isRabbitMq(url)) {
    const { openRabbitMqDeadLetters } = await import('./rabbitmq/open-rabbitmq.ts');
    return openRabbitMqDeadLetters(url);
  }
  expectMemory(url);
  const { path, durable } = journalPlace(url);
  if (!durable) {
    throw new BusUrlError(
      'A bus at memory: lives in its own process alone: dead letters of memory:PATH can be reached',
    );
  }
  return openJournalDeadLetters(path);
}

/** @throws BusUrlError when it only begins like a URL of RabbitMQ's */
function isRabbitMq(url: string): boolean {
  if (!/^amqps?:/i.test(url)) return false;
  if (!/^amqps?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new BusUrlError("A bus URL for RabbitMQ is amqp(s)://user:password@host:port/vhost: this one can't be read");
  }
  return true;
}

function expectMemory(url: string): void {
  if (url.startsWith('memory:')) return;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
  throw new BusUrlError(`A bus URL is memory:, memory:PATH or amqp(s)://…, not ${scheme ?? 'without a scheme'}`);
}
