import { setImmediate } from 'node:timers/promises';
import type { Message } from '@lobbystats/contracts';
import type { PeopleObserved } from '../domain/people-catalog.ts';

export type OnObserved = (observed: PeopleObserved) => void;

/** About 30 ms of work for a commit. */
const AT_ONCE = 1000;

/**
 * Handles messages in batches of about {@link AT_ONCE} items, live ones first.
 *
 * @param sizeOf of how many things a message tells
 */
export function inSteps<Data>(
  sizeOf: (data: Data) => number,
  take: (messages: readonly Message<Data>[], past: boolean) => Promise<PeopleObserved>,
  onObserved: OnObserved,
): (messages: readonly Message<Data>[]) => Promise<void> {
  return async (messages) => {
    for (const past of [false, true]) {
      const wanted = messages.filter((message) => message.past === past);
      for (const step of stepsOf(wanted, sizeOf)) {
        onObserved(await take(step, past));
        // A store in this process commits without yielding.
        await setImmediate();
      }
    }
  };
}

function stepsOf<Data>(messages: readonly Message<Data>[], sizeOf: (data: Data) => number): Message<Data>[][] {
  const steps: Message<Data>[][] = [];
  let size = Infinity;
  for (const message of messages) {
    const more = sizeOf(message.data);
    if (size + more > AT_ONCE) {
      steps.push([]);
      size = 0;
    }
    steps.at(-1)?.push(message);
    size += more;
  }
  return steps;
}
