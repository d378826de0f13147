import type { Logger } from '../logs/create-logger.ts';
import { stopInOrder } from './stop-in-order.ts';

/** Ends something that was opened or started. */
export type Stop = () => Promise<void>;

export interface LifecycleParts {
  logger: Logger;
  /** Closes what is open already: last of all, the last opened first. */
  closers?: readonly Stop[];
  /** Starts the parts in order, and tells of each at once, with how it is stopped. */
  begin: (started: (stop: Stop) => void) => Promise<void>;
}

/**
 * Parts start in order and stop in the reverse one; what has started is stopped when what comes after it fails; a stop
 * during the start waits for it. Stopping twice is stopping once.
 */
export function lifecycle({ logger, closers = [], begin }: LifecycleParts): { start: Stop; stop: Stop } {
  let starting = Promise.resolve();
  let stopped: Promise<void> | undefined;
  const running = [...closers];
  const shutDown = () => stopInOrder(running.splice(0).reverse());
  const undo = async (error: unknown) => {
    await shutDown().catch((fault: unknown) => logger.warn('stopping failed', { error: fault }));
    throw error;
  };
  return {
    start: () => {
      starting = begin((stop) => running.push(stop)).catch(undo);
      return starting;
    },
    stop: () => {
      stopped ??= starting.catch(() => undefined).then(shutDown);
      return stopped;
    },
  };
}
