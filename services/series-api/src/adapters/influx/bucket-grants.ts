/** What InfluxDB can allow on a bucket. `write` includes deleting points, and changing and dropping the bucket itself. */
export type BucketAction = 'read' | 'write';

/** The tokens that are made for a deployment, and what each may do with both buckets of the series; with others, nothing. */
export const BUCKET_GRANTS = {
  'series-api': ['read', 'write'],
  analyst: ['read'],
} as const satisfies Record<string, readonly BucketAction[]>;

interface BucketPermission {
  action: BucketAction;
  resource: { type: 'buckets'; id: string; orgID: string };
}

/** A token's permissions on a bucket, as InfluxDB takes them. */
export function bucketPermissions(holder: keyof typeof BUCKET_GRANTS, id: string, orgID: string): BucketPermission[] {
  return BUCKET_GRANTS[holder].map((action) => ({ action, resource: { type: 'buckets', id, orgID } }));
}
