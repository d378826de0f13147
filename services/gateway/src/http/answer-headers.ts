import type { Operation } from '@lobbystats/contracts';
import type { EncodedBody } from '../domain/cache/encoded-bodies.ts';
import type { GivenAnswer } from '../domain/cache/wanted.ts';

/** What of an operation says how its answers are sent. */
export type Sent = Pick<Operation, 'method' | 'session' | 'freshFor'>;

/** Headers, names and values by turns, as Node writes them fastest. */
export type FlatHeaders = string[];

/** Headers of an answer to a GET that is anybody's, those of its body aside: a 304 has them too. */
export function publicHeaders(operation: Sent, given: GivenAnswer, { tag }: EncodedBody): FlatHeaders {
  const flat = [
    'ETag',
    tag,
    'Vary',
    varyOf(operation),
    'Cache-Control',
    cacheControlOf(operation, given.maxAgeSeconds),
    'Cache-Status',
    given.status,
  ];
  for (const name in given.headers) if (!OF_BODY.has(name)) flat.push(name, given.headers[name] ?? '');
  if (given.ageSeconds !== undefined) flat.push('Age', String(given.ageSeconds));
  return flat;
}

/** Headers of a body. */
export function bodyHeaders(given: GivenAnswer, { encoding, bytes }: EncodedBody): FlatHeaders {
  const flat = ['Content-Length', String(bytes.length)];
  for (const name in given.headers) if (OF_BODY.has(name)) flat.push(name, given.headers[name] ?? '');
  if (encoding !== 'identity') flat.push('Content-Encoding', encoding);
  return flat;
}

const OF_BODY: ReadonlySet<string> = new Set(['Content-Type', 'Content-Disposition']);

/** By what of a request an answer may differ. */
export function varyOf({ session }: Sent): string {
  return session === 'optional' ? 'Accept-Encoding, X-Session-Key' : 'Accept-Encoding';
}

/** `Cache-Control` of what anybody may see. */
export function cacheControlOf({ freshFor }: Sent, maxAgeSeconds: number): string {
  return freshFor === 'never' ? 'public, max-age=0, must-revalidate' : `public, max-age=${maxAgeSeconds}`;
}
