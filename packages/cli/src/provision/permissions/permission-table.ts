import { busPermissions } from './bus-permissions.ts';
import { databasePermissions } from './database-permissions.ts';
import { permissionsOf, type Permission, type PermissionBlock } from './permission.ts';
import { seriesPermissions } from './series-permissions.ts';

export const permissionBlocks: readonly PermissionBlock[] = [
  ...busPermissions,
  ...databasePermissions,
  ...seriesPermissions,
];

export const permissionTable: readonly Permission[] = permissionBlocks.flatMap(permissionsOf);
