import type { EpochSeconds } from '@lobbystats/contracts';

/** Bounds reads. Older data expires with its shard; nothing is deleted explicitly, since deletions slow reads. */
export interface RetentionWindow {
  /** Exclusive; matches by their end. */
  snapshots(): EpochSeconds;
  retained(): EpochSeconds;
  dailies(): EpochSeconds;
  advance(to: { snapshots?: EpochSeconds | undefined; dailies?: EpochSeconds }): void;
}

export function createRetentionWindow(everySeconds: number, now: () => EpochSeconds): RetentionWindow {
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
