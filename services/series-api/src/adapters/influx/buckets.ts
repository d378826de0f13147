import { DAY_SECONDS, SNAPSHOT_RETENTION_SECONDS } from '@lobbystats/contracts';

export interface BucketNames {
  snapshots: string;
  daily: string;
}

export const BUCKETS: BucketNames = { snapshots: 'snapshots', daily: 'daily' };

export interface BucketRules {
  /** 0: unlimited. */
  everySeconds: number;
  shardGroupDurationSeconds: number;
}

export const BUCKET_RULES: Readonly<Record<keyof BucketNames, BucketRules>> = {
  snapshots: { everySeconds: SNAPSHOT_RETENTION_SECONDS, shardGroupDurationSeconds: DAY_SECONDS },
  daily: { everySeconds: 0, shardGroupDurationSeconds: 7 * DAY_SECONDS },
};
