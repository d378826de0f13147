import { AppError, type ErrorCode } from '@lobbystats/errors';
import { HttpProblem } from '@lobbystats/service-kit';
import type { OwnedOperation } from '../../domain/owners.ts';
import type { WholeAnswer } from './fetch-answer.ts';

/** The caller's own faults, which the owner's words explain. */
const OF_ANY: Readonly<Record<number, ErrorCode>> = { 400: 'invalid', 404: 'not-found' };

/** What an owner that looks at the session may say besides. */
const OF_SESSIONS: Readonly<Record<number, ErrorCode | 'http'>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'http',
  415: 'http',
  502: 'lookup-failed',
};

/** What an owner's refusal is to the caller, in the owner's words; undefined where it is none of the caller's business. */
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
