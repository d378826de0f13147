import { hasCode } from '@lobbystats/errors';
import { headerSessionKey, invalidSession, isSessionKey, readQuery } from '@lobbystats/service-kit';
import type { Request } from 'express';

export interface ReaderSession {
  /** An answer to a request with a session is not shared. */
  readonly isGiven: boolean;
  /** Undefined for a text that can't be a key. */
  readonly key: string | undefined;
}

/** From the header, else from the query, given once. It enters no URL after this. */
export function readerSession(req: Request): ReaderSession {
  const given = headerSessionKey(req) ?? querySessionKey(req.url);
  if (given === '') return { isGiven: false, key: undefined };
  return { isGiven: true, key: given !== undefined && isSessionKey(given) ? given : undefined };
}

/**
 * From the header. A key in the body is read by the upstream.
 *
 * @throws AppError `unauthenticated` for what can be no key: it could not even go on
 */
export function writerSessionKey(req: Request): string | undefined {
  const key = headerSessionKey(req);
  if (key !== undefined && !isSessionKey(key)) throw invalidSession();
  return key;
}

/** `""`: none. Undefined: malformed. */
function querySessionKey(url: string): string | undefined {
  try {
    const { sessionKey = '' } = readQuery({ sessionKey: true }, url);
    return typeof sessionKey === 'string' ? sessionKey : undefined;
  } catch (error) {
    if (hasCode(error, 'invalid')) return undefined;
    throw error;
  }
}
