import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock, LockedPackage } from './complete-lock.ts';

export const lockPath = join(import.meta.dirname, '../../../../package-lock.json');

/** @param path the lock file; default: that of this repository */
export function readLock(path = lockPath): Lock {
  return JSON.parse(readFileSync(path, 'utf8')) as Lock;
}

/** The packages, by path, that `npm ci --omit=dev` installs on every platform: optional peers that are in the lock, too. */
export function productionPackages({ packages }: Lock): [path: string, LockedPackage][] {
  return Object.entries(packages).filter(
    ([path, { link, dev, optional }]) => path.includes('node_modules/') && !(link ?? dev ?? optional ?? false),
  );
}

/** Builds, by path, that npm installs on Linux with a processor. @param cpu as in `process.arch` */
export function linuxBuilds({ packages }: Lock, cpu: string): [path: string, LockedPackage][] {
  const admits = (allowed: string | string[] | undefined, value: string) => [allowed].flat().includes(value);
  return Object.entries(packages).filter(
    ([, { dev, optional, os, cpu: processors }]) =>
      optional === true && dev !== true && admits(os, 'linux') && admits(processors, cpu),
  );
}
