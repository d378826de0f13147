import type { HourStore } from './new-route.ts';
import type { RushStore } from './new-message.ts';

/** In memory. */
export function openRushStore(hours: ReadonlyMap<string, number[]> = new Map()): HourStore & RushStore {
  const rushes = new Map<string, number>();
  return {
    busyHours: async (titleId) => Promise.resolve(hours.get(titleId)),
    putRush: async (titleId, players) => {
      await Promise.resolve(rushes.set(titleId, players));
    },
  };
}
