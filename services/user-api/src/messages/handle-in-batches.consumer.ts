import { setImmediate } from 'node:timers/promises';
import type { Message } from '@lobbystats/contracts';
import type { ObservationResult } from '../users/user-catalog.ts';

export type OnResult = (observed: ObservationResult) => void;

/** A commit of this size takes about 30 ms. */
const ITEMS_PER_BATCH = 1000;

/**
 * Handles messages in batches of about {@link ITEMS_PER_BATCH} items, live ones first.
 * `sizeOf` counts the items of a message.
 */
export function handleInBatches<Data>(
  sizeOf: (data: Data) => number,
  take: (messages: readonly Message<Data>[], past: boolean) => Promise<ObservationResult>,
  onObserved: OnResult,
): (messages: readonly Message<Data>[]) => Promise<void> {
  return async (messages) => {
    for (const past of [false, true]) {
      const selected = messages.filter((message) => message.past === past);
      for (const step of splitIntoBatches(selected, sizeOf)) {
        onObserved(await take(step, past));
        // A store in this process commits without yielding.
        await setImmediate();
      }
    }
  };
}

function splitIntoBatches<Data>(messages: readonly Message<Data>[], sizeOf: (data: Data) => number): Message<Data>[][] {
  const steps: Message<Data>[][] = [];
  let size = Infinity;
  for (const message of messages) {
    const more = sizeOf(message.data);
    if (size + more > ITEMS_PER_BATCH) {
      steps.push([]);
      size = 0;
    }
    steps.at(-1)?.push(message);
    size += more;
  }
  return steps;
}
