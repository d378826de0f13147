import { AppError, type ErrorCode } from '@lobbystats/errors';
import { HttpProblem } from '@lobbystats/service-kit';
import type { OwnedOperation } from '../../domain/owners.ts';
import type { WholeAnswer } from './fetch-answer.ts';

/** Statuses whose message is passed to the caller. */
const OF_ANY: Readonly<Record<number, ErrorCode>> = { 400: 'invalid', 404: 'not-found' };

const OF_SESSIONS: Readonly<Record<number, ErrorCode | 'http'>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'http',
  415: 'http',
  502: 'lookup-failed',
};

/** Maps an upstream's 4xx to the caller, with its message; undefined for statuses that are not the caller's fault. */
export function ownerRefusal(
  { session }: Pick<OwnedOperation, 'session'>,
  { status, body }: WholeAnswer,
): Error | undefined {
  const code = OF_ANY[status] ?? (session === 'required' ? OF_SESSIONS[status] : undefined);
  const message = code === undefined ? undefined : errorIn(body);
  if (code === undefined || message === undefined) return undefined;
  return code === 'http' ? new HttpProblem(status, message) : new AppError(code, message);
}

function errorIn(body: Buffer): string | undefined {
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
