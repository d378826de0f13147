import type { Operation } from '@lobbystats/contracts';
import type { Encoding } from '../domain/cache/encoding.ts';
import type { GivenAnswer } from '../domain/cache/wanted.ts';

export type Sent = Pick<Operation, 'method' | 'session' | 'freshFor'>;

type Described = Pick<GivenAnswer, 'headers' | 'maxAgeSeconds' | 'ageSeconds' | 'status'>;

/** Names and values in turn: the form that Node writes fastest. */
export type FlatHeaders = string[];

/** Headers without those of the body, for 304 as well. */
export function publicHeaders(operation: Sent, given: Described, tag: string | undefined): FlatHeaders {
  const flat = ['Vary', varyOf(operation), 'Cache-Control', cacheControlOf(operation, given.maxAgeSeconds)];
  flat.push('Cache-Status', given.status);
  if (tag !== undefined) flat.push('ETag', tag);
  for (const name in given.headers) if (!OF_BODY.has(name)) flat.push(name, given.headers[name] ?? '');
  if (given.ageSeconds !== undefined) flat.push('Age', String(given.ageSeconds));
  return flat;
}

export function privateHeaders(operation: Sent, { status }: Described, hasSession: boolean): FlatHeaders {
  const cacheControl = hasSession ? 'private, no-store' : 'no-store';
  return ['Cache-Control', cacheControl, 'Cache-Status', status, 'Vary', varyOf(operation)];
}

export function bodyHeaders({ headers }: Described, encoding: Encoding, length: number | undefined): FlatHeaders {
  const flat: FlatHeaders = length === undefined ? [] : ['Content-Length', String(length)];
  for (const name in headers) if (OF_BODY.has(name)) flat.push(name, headers[name] ?? '');
  if (encoding !== 'identity') flat.push('Content-Encoding', encoding);
  return flat;
}

const OF_BODY: ReadonlySet<string> = new Set(['Content-Type', 'Content-Disposition']);

function varyOf({ session }: Sent): string {
  return session === 'optional' ? 'Accept-Encoding, X-Session-Key' : 'Accept-Encoding';
}

function cacheControlOf({ freshFor }: Sent, maxAgeSeconds: number): string {
  return freshFor === 'never' ? 'public, max-age=0, must-revalidate' : `public, max-age=${maxAgeSeconds}`;
}
