import { AppError } from '@lobbystats/errors';
import type { MessageBus } from '@lobbystats/message-bus';
import type { CollectorStore } from '../src/domain/collector-store.ts';

/** A store and a bus as a process has them that is killed: from some step on it does nothing any more. */
export interface Mortal {
  readonly store: CollectorStore;
  readonly bus: MessageBus;
  /** How many steps were done. */
  steps(): number;
  isDead(): boolean;
}

/** Methods that change something outside of the process. */
const STEPS = new Set(
  'open take putHome putMatches finish published miss forget claim release remember saidHomes saidPage begin daysDone doneFrom list said confirmed owe advance publish'.split(
    ' ',
  ),
);

/** Lets `store` and `bus` be used for so many steps, and not for the next one. */
export function mortal(store: CollectorStore, bus: MessageBus, steps: number): Mortal {
  let done = 0;
  let dead = false;

  function guarded<Target extends object>(target: Target): Target {
    return new Proxy(target, {
      get(from, name) {
        const value: unknown = Reflect.get(from, name, from);
        if (typeof value === 'object' && value !== null) return guarded(value);
        if (typeof value !== 'function') return value;
        return (...values: unknown[]): unknown => {
          if (STEPS.has(String(name))) {
            dead ||= done === steps;
            if (dead) return Promise.reject(new AppError('unavailable', 'This process was killed'));
            done += 1;
          }
          return Reflect.apply(value, from, values);
        };
      },
    });
  }

  return { store: guarded(store), bus: guarded(bus), steps: () => done, isDead: () => dead };
}
