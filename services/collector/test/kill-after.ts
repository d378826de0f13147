import { AppError } from '@lobbystats/contracts/errors';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import type { CollectorStore } from '../src/collector-store.ts';

/** The store and bus of a process that is killed: after a number of steps every further step is rejected. */
export interface KillableProcess {
  readonly store: CollectorStore;
  readonly bus: MessageBus;
  /** Number of steps done. */
  steps(): number;
  isKilled(): boolean;
}

/** Methods with effects outside of the process. */
const STEPS = new Set(
  'open putHome putMatches finish markPublished markMissed deleteBefore beginPublishing put recordHomes recordPage begin markDaysDone setDoneFrom updateListing markConfirmed setPendingRetry advance publish'.split(
    ' ',
  ),
);

/** Allows `steps` steps on `store` and `bus`, and rejects all later ones. */
export function killAfter(store: CollectorStore, bus: MessageBus, steps: number): KillableProcess {
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

  return { store: guarded(store), bus: guarded(bus), steps: () => done, isKilled: () => dead };
}
