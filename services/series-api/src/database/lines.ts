import { hash } from 'node:crypto';
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

interface Point {
  readonly measurement: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** In nanoseconds. */
  readonly time: string;
}

/** A line of InfluxDB's line protocol. Numbers are counts and instants. Nulls are not stored. */
export function lineOf(point: Point, fields: Readonly<Record<string, number | string | boolean | null>>): string {
  const texts: Record<string, string> = {};
  for (const name in fields) {
    const value = fields[name] ?? null;
    if (value !== null) texts[name] = fieldText(value);
  }
  return formatLine(point, texts);
}

/** The text of a field, of a number as an integer. */
export function fieldText(value: number | string | boolean): string {
  if (typeof value === 'number') return `${Math.trunc(value)}i`;
  if (typeof value === 'boolean') return value ? 'T' : 'F';
  return `"${value.replace(QUOTED, '\\$&')}"`;
}

/** A line of fields that are texts already. Empty tags are left out; the server is faster with tags in order. */
export function formatLine({ measurement, tags = {}, time }: Point, fields: Readonly<Record<string, string>>): string {
  let key = escape(measurement, IN_MEASUREMENT);
  for (const name of Object.keys(tags).sort()) {
    const value = tags[name] ?? '';
    if (value !== '') key += `,${escape(name, IN_KEY)}=${escape(value, IN_KEY)}`;
  }
  let line = '';
  for (const name of Object.keys(fields).sort()) line += `,${escape(name, IN_KEY)}=${fields[name] ?? ''}`;
  return `${key} ${line.slice(1)} ${time}`;
}

const QUOTED = /["\\]/g;
const IN_MEASUREMENT = /[, \n\r\t]/g;
const IN_KEY = /[, =\n\r\t]/g;
const LINE_BREAKS: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't' };

function escape(text: string, special: RegExp): string {
  if (text.search(special) === -1) return text;
  return text.replace(special, (character) => `\\${LINE_BREAKS[character] ?? character}`);
}
