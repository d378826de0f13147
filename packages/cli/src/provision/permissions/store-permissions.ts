import { bucketGrants, influxBuckets } from '@lobbystats/series-api/admin';
import { denyAll, type PermissionBlock } from './permission.ts';

export const databaseOf = {
  collector: 'collector',
  'catalog-api': 'catalog',
  'user-api': 'users',
  'reputation-api': 'reputation',
} as const;

export type DatabaseUser = keyof typeof databaseOf;

const users: readonly string[] = Object.keys(databaseOf);
const databases: readonly string[] = Object.values(databaseOf);

export const databasePermissions: readonly PermissionBlock[] = [
  {
    ...{ server: 'MongoDB', kind: 'database', principals: users },
    resources: [...databases, 'admin', 'config', 'local'],
    actions: ['create a collection', 'insert', 'find', 'update', 'remove', 'create an index', 'drop a collection'],
    isAllowed: (user, database) => databaseOf[user as DatabaseUser] === database,
  },
  {
    ...{ server: 'MongoDB', kind: 'administration of', principals: users, isAllowed: denyAll },
    resources: [...databases, 'admin'],
    actions: ['create a user', 'grant itself a role', 'change its password', 'drop the database'],
  },
  {
    ...{ server: 'MongoDB', kind: 'server', principals: users, resources: ['the server'], isAllowed: denyAll },
    actions: ['set a parameter', 'read the replica set status', 'list databases of others'],
  },
];

const tokens = {
  'series-api': bucketGrants['series-api'],
  grafana: bucketGrants.analyst,
  analyst: bucketGrants.analyst,
};
const holders: readonly string[] = Object.keys(tokens);
const buckets: readonly string[] = Object.values(influxBuckets);

/** InfluxDB's write permission includes deleting. */
const requiredPermission: Readonly<Record<string, 'read' | 'write'>> = {
  read: 'read',
  write: 'write',
  'delete points': 'write',
  'change retention': 'write',
  'drop the bucket': 'write',
};

/** InfluxDB 2.7 doesn't check bucket permissions of Flux's `from(bucketID:)`. */
const READ_BY_ID = 'read by ID';

export const seriesPermissions: readonly PermissionBlock[] = [
  {
    ...{ server: 'InfluxDB', kind: 'bucket', principals: holders },
    resources: [...buckets, 'another bucket'],
    actions: [...Object.keys(requiredPermission), READ_BY_ID],
    isAllowed: (holder, bucket, action) =>
      action === READ_BY_ID ||
      (buckets.includes(bucket) &&
        tokens[holder as keyof typeof tokens].some((granted) => granted === requiredPermission[action])),
  },
  {
    ...{ server: 'InfluxDB', kind: 'server', principals: holders, resources: ['the server'], isAllowed: denyAll },
    actions: ['list tokens', 'create a token', 'create a user', 'create a bucket'],
  },
];
