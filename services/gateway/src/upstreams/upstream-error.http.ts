import { AppError, type ErrorCode } from '@lobbystats/errors';
import { HttpError } from '@lobbystats/service-kit';
import type { UpstreamOperation } from './upstreams.ts';
import type { BufferedResponse } from './fetch-response.http.ts';

/** Statuses whose message is passed to the caller. */
const FORWARDED_CODES: Readonly<Record<number, ErrorCode>> = { 400: 'invalid', 404: 'not-found' };

const SESSION_CODES: Readonly<Record<number, ErrorCode | 'http'>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'http',
  415: 'http',
  502: 'lookup-failed',
};

/** Maps an upstream's 4xx to the caller, with its message; undefined for statuses that are not the caller's fault. */
export function upstreamError(
  { session }: Pick<UpstreamOperation, 'session'>,
  { status, body }: BufferedResponse,
): Error | undefined {
  const code = FORWARDED_CODES[status] ?? (session === 'required' ? SESSION_CODES[status] : undefined);
  const message = code === undefined ? undefined : errorMessage(body);
  if (code === undefined || message === undefined) return undefined;
  return code === 'http' ? new HttpError(status, message) : new AppError(code, message);
}

function errorMessage(body: Buffer): string | undefined {
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
