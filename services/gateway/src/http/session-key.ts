import { hasCode } from '@lobbystats/errors';
import { headerSessionKey, invalidSession, isSessionKey, readQuery } from '@lobbystats/service-kit';
import type { Request } from 'express';

/** What a reader says of their session. */
export interface ReaderSession {
  /** Whether they say anything of it: what answers them is nobody else's then. */
  readonly isGiven: boolean;
  /** Undefined where nothing that they say can be a key. */
  readonly key: string | undefined;
}

/** The session key of who reads: in the header, else in the query, given once. From here on it is in no URL. */
export function readerSession(req: Request): ReaderSession {
  const given = headerSessionKey(req) ?? querySessionKey(req.url);
  if (given === '') return { isGiven: false, key: undefined };
  return { isGiven: true, key: given !== undefined && isSessionKey(given) ? given : undefined };
}

/**
 * The session key of who writes, where it is in the header; in the body only its owner looks for it.
 *
 * @throws AppError `unauthenticated` for what can be no key: it could not even go on
 */
export function writerSessionKey(req: Request): string | undefined {
  const key = headerSessionKey(req);
  if (key !== undefined && !isSessionKey(key)) throw invalidSession();
  return key;
}

/** "" where there is none; undefined where it is given in a way that nobody can understand. */
function querySessionKey(url: string): string | undefined {
  try {
    const { sessionKey = '' } = readQuery({ sessionKey: true }, url);
    return typeof sessionKey === 'string' ? sessionKey : undefined;
  } catch (error) {
    if (hasCode(error, 'invalid')) return undefined;
    throw error;
  }
}
