import type { EpochSeconds } from '@lobbystats/contracts';

/**
 * How far back the store is read. What lies beyond has expired: its bucket drops it when the whole of its day has, and
 * nothing is deleted by hand, because a deletion rewrites files and slows every read until it has.
 */
export interface Horizon {
  /** What is of this instant or earlier isn't read: snapshots, and matches by their end. */
  snapshots(): EpochSeconds;
  /** Nor is what the bucket no longer takes. */
  retained(): EpochSeconds;
  /** Nor are days that begin at this instant or earlier. */
  dailies(): EpochSeconds;
  /** Takes it further; it never goes back. */
  advance(to: { snapshots?: EpochSeconds | undefined; dailies?: EpochSeconds }): void;
}

/** @param everySeconds how long the bucket of snapshots keeps them; 0: without end */
export function createHorizon(everySeconds: number, now: () => EpochSeconds): Horizon {
  let purged = 0;
  let days = 0;
  const retained = (): number => (everySeconds === 0 ? 0 : now() - everySeconds);
  return {
    snapshots: () => Math.max(purged, retained()),
    retained,
    dailies: () => days,
    advance: ({ snapshots = 0, dailies = 0 }) => {
      purged = Math.max(purged, snapshots);
      days = Math.max(days, dailies);
    },
  };
}
