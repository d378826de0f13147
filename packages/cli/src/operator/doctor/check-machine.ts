import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readVersion } from '@lobbystats/service-kit';
import { findingsOf, type Finding } from './finding.ts';

const MIN_NODE_MAJOR = 24;
const LOW_DISK_BYTES = 2e9;
const CRITICAL_DISK_BYTES = 2e8;

export function checkRelease(version: string): Finding {
  const part = findingsOf('release');
  const says = `Lobbystats ${readVersion()} on Node ${version}`;
  return Number.parseInt(version, 10) >= MIN_NODE_MAJOR
    ? part.ok(says)
    : part.fault(says, `use Node ${MIN_NODE_MAJOR}, which npm ci installs`);
}

export function checkDisk(directory: string): Finding {
  let existing = resolve(directory);
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = statfsSync(existing);
  return freeSpaceFinding(findingsOf('disk'), bavail * bsize, directory);
}

export function freeSpaceFinding(part: ReturnType<typeof findingsOf>, free: number, where: string): Finding {
  const says = `${(free / 1e9).toFixed(1)} GB free for ${where}`;
  if (free < CRITICAL_DISK_BYTES) return part.fault(says, 'free space now: writes fail when the disk is full');
  return free < LOW_DISK_BYTES ? part.warning(says, 'free space or use a larger disk') : part.ok(says);
}
