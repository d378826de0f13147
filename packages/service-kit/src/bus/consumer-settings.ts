import { exponentialBackoff } from '../concurrency/index.ts';
import { allMessages, type ServiceName } from '@lobbystats/contracts';
import type { Consumer, Handler } from './message-bus.ts';

export type ConsumerSettings = Readonly<Required<Consumer>>;

/** Longer waits are cut to it. */
export const MAX_BACKOFF_MS = 30_000;

/**
 * @throws Error when the handlers do not match the types of the queue, or a number is out of bounds: a bug of the caller
 */
export function resolveConsumerSettings(consumer: Consumer): ConsumerSettings {
  checkHandlers(consumer);
  const { queue, handlers, attempts = 6, backoffMs = exponentialBackoff(500, 30_000) } = consumer;
  const { prefetch = Math.max(32, ...handlers.map(({ batch }) => batch)) } = consumer;
  for (const handler of handlers) assertPositiveInteger(queue, `batch of ${handler.type.key}`, handler.batch);
  assertPositiveInteger(queue, 'prefetch', prefetch);
  if (attempts !== Number.POSITIVE_INFINITY) assertPositiveInteger(queue, 'attempts', attempts);
  return {
    queue,
    handlers: handlers satisfies readonly Handler[],
    prefetch,
    attempts,
    backoffMs: (attempt) => Math.min(Math.max(Math.ceil(backoffMs(attempt)) || 0, 0), MAX_BACKOFF_MS),
  };
}

function assertPositiveInteger(queue: ServiceName, what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new Error(`The consumer of ${queue}: ${what} must be a positive integer`);
  }
}

/** Unhandled types would become dead letters; additional handlers would never run. */
function checkHandlers({ queue, handlers }: Consumer): void {
  const expectedKeys = allMessages.filter((type) => type.consumers.includes(queue)).map((type) => type.key);
  const handledKeys = handlers.map((handler) => handler.type.key);
  const missing = expectedKeys.filter((key) => !handledKeys.includes(key));
  const foreign = handledKeys.filter((key, at) => !expectedKeys.includes(key) || handledKeys.indexOf(key) !== at);
  if (missing.length > 0) throw new Error(`The consumer of ${queue} has no handler for ${missing.join(', ')}`);
  if (foreign.length > 0) {
    throw new Error(`The consumer of ${queue} handles ${foreign.join(', ')} more than once or without receiving it`);
  }
}
