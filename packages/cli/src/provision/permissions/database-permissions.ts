import { denyAll, type PermissionBlock } from './permission.ts';

export const databaseOf = {
  collector: 'collector',
  'catalog-api': 'catalog',
  'user-api': 'people',
  'reputation-api': 'reputation',
} as const;

export type DatabaseUser = keyof typeof databaseOf;

const READ_WRITE = [
  'create a collection',
  'insert',
  'find',
  'update',
  'remove',
  'create an index',
  'drop a collection',
] as const;

const users: readonly string[] = Object.keys(databaseOf);
const databases: readonly string[] = Object.values(databaseOf);

export const databasePermissions: readonly PermissionBlock[] = [
  {
    ...{ server: 'MongoDB', kind: 'database', principals: users },
    resources: [...databases, 'admin', 'config', 'local'],
    actions: READ_WRITE,
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
