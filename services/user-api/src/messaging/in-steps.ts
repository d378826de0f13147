import { setImmediate } from 'node:timers/promises';
import type { Message } from '@lobbystats/contracts';
import type { PeopleObserved } from '../domain/people-catalog.ts';

/** Told after each step what it has done. */
export type OnObserved = (observed: PeopleObserved) => void;

/** People, ranks or matches that are taken in with one commit, about: some 30 ms of work. */
const AT_ONCE = 1000;

/**
 * Takes in messages a step at a time, live ones first: as many as make up {@link AT_ONCE} things together, one at least.
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
        // A store in this process commits without a pause, and the next step would come at once: requests have waited.
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
