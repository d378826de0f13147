import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from './complete-lock.ts';

export const lockPath = join(import.meta.dirname, '../../../../package-lock.json');

export function readLock(): Lock {
  return JSON.parse(readFileSync(lockPath, 'utf8')) as Lock;
}
