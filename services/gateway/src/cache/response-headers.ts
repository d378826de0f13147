import type { Operation } from '@lobbystats/contracts';
import type { ContentCoding } from './content-coding.ts';
import type { ServedResponse } from './cache-request.ts';

export type OperationPolicy = Pick<Operation, 'method' | 'session' | 'freshFor'>;

type ResponseInfo = Pick<ServedResponse, 'headers' | 'maxAgeSeconds' | 'ageSeconds' | 'status'>;

/** Names and values in turn: the form that Node writes fastest. */
export type FlatHeaders = string[];

/** Headers for 200 and 304, without those of the body. */
export function publicHeaders(operation: OperationPolicy, info: ResponseInfo, tag: string | undefined): FlatHeaders {
  const flat = ['Vary', varyHeader(operation), 'Cache-Control', cacheControlHeader(operation, info.maxAgeSeconds)];
  flat.push('Cache-Status', info.status);
  if (tag !== undefined) flat.push('ETag', tag);
  for (const name in info.headers) if (!BODY_HEADERS.has(name)) flat.push(name, info.headers[name] ?? '');
  if (info.ageSeconds !== undefined) flat.push('Age', String(info.ageSeconds));
  return flat;
}

export function privateHeaders(operation: OperationPolicy, { status }: ResponseInfo, hasSession: boolean): FlatHeaders {
  const cacheControl = hasSession ? 'private, no-store' : 'no-store';
  return ['Cache-Control', cacheControl, 'Cache-Status', status, 'Vary', varyHeader(operation)];
}

export function bodyHeaders(
  { headers }: ResponseInfo,
  encoding: ContentCoding,
  length: number | undefined,
): FlatHeaders {
  const flat: FlatHeaders = length === undefined ? [] : ['Content-Length', String(length)];
  for (const name in headers) if (BODY_HEADERS.has(name)) flat.push(name, headers[name] ?? '');
  if (encoding !== 'identity') flat.push('Content-Encoding', encoding);
  return flat;
}

const BODY_HEADERS: ReadonlySet<string> = new Set(['Content-Type', 'Content-Disposition']);

function varyHeader({ session }: OperationPolicy): string {
  return session === 'optional' ? 'Accept-Encoding, X-Session-Key' : 'Accept-Encoding';
}

function cacheControlHeader({ freshFor }: OperationPolicy, maxAgeSeconds: number): string {
  return freshFor === 'never' ? 'public, max-age=0, must-revalidate' : `public, max-age=${maxAgeSeconds}`;
}
