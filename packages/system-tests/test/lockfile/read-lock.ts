import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock, LockedPackage } from './complete-lock.ts';

export const lockPath = join(import.meta.dirname, '../../../../package-lock.json');

/** @param path the lock file; default: that of this repository */
export function readLock(path = lockPath): Lock {
  return JSON.parse(readFileSync(path, 'utf8')) as Lock;
}

/** The packages, by path, that `npm ci --omit=dev --omit=optional` fetches from the registry. */
export function productionPackages({ packages }: Lock): [path: string, LockedPackage][] {
  return Object.entries(packages).filter(
    ([path, { link, dev, optional, devOptional }]) =>
      path.includes('node_modules/') && !(link ?? dev ?? optional ?? devOptional ?? false),
  );
}
