import type { ServiceName } from '@lobbystats/contracts';
import type { Consumer, Handler } from './message-bus.ts';
import { checkHandlers } from './routing.ts';

export type ConsumerSettings = Readonly<Required<Consumer>>;

const LONGEST_BACKOFF_MS = 24 * 3_600_000;

/**
 * Throws when the handlers don't match the queue's types, or a number is out of bounds.
 *
 * @throws Error when it doesn't handle exactly what its queue gets, or a number is out of bounds: a fault of the caller
 */
export function consumerSettings(consumer: Consumer): ConsumerSettings {
  checkHandlers(consumer);
  const { queue, handlers, attempts = 6, backoffMs = doubling } = consumer;
  const { prefetch = Math.max(32, ...handlers.map(({ batch }) => batch)) } = consumer;
  for (const handler of handlers) expectCount(queue, `batch of ${handler.type.key}`, handler.batch);
  expectCount(queue, 'prefetch', prefetch);
  if (attempts !== Number.POSITIVE_INFINITY) expectCount(queue, 'attempts', attempts);
  return {
    queue,
    handlers: handlers satisfies readonly Handler[],
    prefetch,
    attempts,
    backoffMs: (attempt) => Math.min(Math.max(Math.ceil(backoffMs(attempt)) || 0, 0), LONGEST_BACKOFF_MS),
  };
}

function doubling(attempt: number): number {
  return Math.min(500 * 2 ** (attempt - 1), 30_000);
}

function expectCount(queue: ServiceName, what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new Error(`The consumer of ${queue}: ${what} must be a positive integer`);
  }
}
