/** `write` includes deleting points and changing or dropping the bucket. */
export type BucketAction = 'read' | 'write';

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
