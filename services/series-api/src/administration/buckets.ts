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

/** `write` includes deleting points and changing or dropping the bucket. */
type BucketAction = 'read' | 'write';

export const BUCKET_GRANTS = {
  'series-api': ['read', 'write'],
  analyst: ['read'],
} as const satisfies Record<string, readonly BucketAction[]>;

interface BucketPermission {
  action: BucketAction;
  resource: { type: 'buckets'; id: string; orgID: string };
}

export function bucketPermissions(holder: keyof typeof BUCKET_GRANTS, id: string, orgID: string): BucketPermission[] {
  return BUCKET_GRANTS[holder].map((action) => ({ action, resource: { type: 'buckets', id, orgID } }));
}

export const ALL_TIMES = { start: '1677-09-22T00:00:00Z', stop: '2262-04-11T00:00:00Z' };
