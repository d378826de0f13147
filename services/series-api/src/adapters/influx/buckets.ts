import { DAY_SECONDS, SNAPSHOT_RETENTION_SECONDS } from '@lobbystats/contracts';

/** The names of the two buckets that the series are in. */
export interface BucketNames {
  /** Snapshots and matches. */
  snapshots: string;
  /** Titles' names, registered users, daily statistics, and whose data these are. */
  daily: string;
}

/** The buckets of a deployment. */
export const BUCKETS: BucketNames = { snapshots: 'snapshots', daily: 'daily' };

/** How long a bucket keeps what is written to it. */
export interface BucketRules {
  /** 0: without end. */
  everySeconds: number;
  shardGroupDurationSeconds: number;
}

/** What the buckets of a deployment keep: snapshots as long as they are answered, dailies without end. */
export const BUCKET_RULES: Readonly<Record<keyof BucketNames, BucketRules>> = {
  snapshots: { everySeconds: SNAPSHOT_RETENTION_SECONDS, shardGroupDurationSeconds: DAY_SECONDS },
  daily: { everySeconds: 0, shardGroupDurationSeconds: 7 * DAY_SECONDS },
};
