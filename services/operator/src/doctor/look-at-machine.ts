import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readVersion } from '@lobbystats/service-kit';
import { partOf, type Finding } from './finding.ts';

const NODE_MAJOR = 24;
const LITTLE_BYTES = 2e9;
const TOO_LITTLE_BYTES = 2e8;

export function lookAtRelease(version: string): Finding {
  const part = partOf('release');
  const says = `Lobbystats ${readVersion()} on Node ${version}`;
  return Number.parseInt(version, 10) >= NODE_MAJOR
    ? part.ok(says)
    : part.fault(says, `run it on Node ${NODE_MAJOR}: npm ci brings it along`);
}

export function lookAtDisk(directory: string): Finding {
  let place = resolve(directory);
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize } = statfsSync(place);
  return roomFinding(partOf('disk'), bavail * bsize, directory);
}

export function roomFinding(part: ReturnType<typeof partOf>, free: number, where: string): Finding {
  const says = `${(free / 1e9).toFixed(1)} GB free for ${where}`;
  if (free < TOO_LITTLE_BYTES) return part.fault(says, 'make room now: writes fail when it is full');
  return free < LITTLE_BYTES ? part.warning(says, 'make room, or give it a larger disk') : part.ok(says);
}
