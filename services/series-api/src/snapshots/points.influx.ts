import { hash } from 'node:crypto';
import { Point } from '@influxdata/influxdb-client';
import type { EpochSeconds } from '@lobbystats/contracts';

const NANOSECONDS_OF_SECOND = '000000000';
const NANOSECONDS = 1e9;
/** 2^38 ns are 274.9 s: less than a slot. */
const HASH_BITS = 38;
const HASH_DIGITS = 10;
const SPARE_BITS = HASH_DIGITS * 4 - HASH_BITS;

export function timeOf(instant: EpochSeconds): string {
  return instant === 0 ? '0' : `${instant}${NANOSECONDS_OF_SECOND}`;
}

/**
 * A host's time within its slot, by a hash in nanoseconds: hosts need no series of their own. On a collision (1 in 2^38)
 * the last one wins.
 */
export function timeOfHost(slot: EpochSeconds, host: string): string {
  const offset = Math.floor(Number.parseInt(hash('sha1', host).slice(0, HASH_DIGITS), 16) / 2 ** SPARE_BITS);
  const seconds = Math.floor(offset / NANOSECONDS);
  return `${slot + seconds}${String(offset - seconds * NANOSECONDS).padStart(9, '0')}`;
}

interface PointKey {
  titleId?: string;
  hostHash?: string;
  host?: string;
  time: string;
}

/** A line of counts and instants. Nulls are not stored. */
export function lineOf(
  measurement: string,
  { titleId, hostHash, host, time }: PointKey,
  integers: Readonly<Record<string, number | null>>,
): string {
  const point = new Point(measurement).timestamp(time);
  if (titleId !== undefined) point.tag('titleId', titleId);
  if (hostHash !== undefined) point.tag('hostHash', hostHash);
  if (host !== undefined) point.stringField('host', host);
  for (const [field, value] of Object.entries(integers)) if (value !== null) point.intField(field, value);
  return point.toString();
}
