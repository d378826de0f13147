import type { ServiceName } from '@lobbystats/contracts';
import { StartupError } from '@lobbystats/contracts/errors';
import { noHooks, type BusHooks } from './bus-hooks.ts';
import { InProcessBus } from './in-process/in-process-bus.ts';
import { openJournal, parseJournalUrl } from './in-process/open-journal.ts';
import { openJournalDeadLetterStore } from './in-process/journal-dead-letter-store.ts';
import type { DeadLetterStore, MessageBus } from './message-bus.ts';

export class BusUrlError extends StartupError {
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

const JOURNAL_POLL_MS = 1000;

/**
 * Opens a bus by its URL.
 *
 * @throws BusUrlError when no adapter has this URL's scheme
 * @throws JournalInUseError when another process has the journal
 * @throws StoreRefusedError when the journal belongs to another network or to newer code, or its file can't be used
 * @throws StartupError when RabbitMQ doesn't come up within half a minute, refuses the user, or isn't prepared
 */
export async function openBus(options: OpenBusOptions): Promise<MessageBus> {
  const { url, origin, hooks, clock = Date.now, service } = options;
  if (isRabbitMqUrl(url)) {
    // Loads the RabbitMQ driver on demand.
    const { openRabbitMqBus } = await import('./rabbitmq/open-rabbitmq.ts');
    return openRabbitMqBus({ url, origin, hooks: { ...noHooks, ...hooks }, clock, service });
  }
  assertMemoryUrl(url);
  const location = parseJournalUrl(url);
  const journal = openJournal(location, origin);
  const pollMs = location.durable ? JOURNAL_POLL_MS : undefined;
  return new InProcessBus({ journal, origin, hooks: { ...noHooks, ...hooks }, clock, pollMs });
}

/**
 * Opens a bus's dead letters, also while it is in use.
 *
 * @throws BusUrlError when no adapter has this URL's scheme, or the bus is in memory
 * @throws NoJournalError when the journal doesn't exist
 * @throws StoreRefusedError when the file isn't a journal, or one of another release
 * @throws StartupError when RabbitMQ can't be reached, refuses the user, or isn't prepared
 */
export async function openDeadLetterStore({ url }: { url: string }): Promise<DeadLetterStore> {
  if (isRabbitMqUrl(url)) {
    const { openRabbitMqDeadLetterStore } = await import('./rabbitmq/open-rabbitmq.ts');
    return openRabbitMqDeadLetterStore(url);
  }
  assertMemoryUrl(url);
  const { path, durable } = parseJournalUrl(url);
  if (!durable) {
    throw new BusUrlError(
      'A memory: bus is private to its process: only the dead letters of memory:PATH can be opened',
    );
  }
  return openJournalDeadLetterStore(path);
}

/** @throws BusUrlError when it has the scheme of RabbitMQ and is malformed */
function isRabbitMqUrl(url: string): boolean {
  if (!/^amqps?:/i.test(url)) return false;
  if (!/^amqps?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new BusUrlError('Invalid RabbitMQ URL: expected amqp(s)://user:password@host:port/vhost');
  }
  return true;
}

function assertMemoryUrl(url: string): void {
  if (url.startsWith('memory:')) return;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
  throw new BusUrlError(`A bus URL is memory:, memory:PATH or amqp(s)://…, not ${scheme ?? 'without a scheme'}`);
}
