import { hasCode } from '@lobbystats/contracts/errors';
import { headerSessionKey, invalidSession, isSessionKey, readQuery } from '@lobbystats/service-kit';
import type { Request } from 'express';

export interface ReaderSession {
  /** A response to a request with a session is not shared. */
  readonly isPresent: boolean;
  /** Undefined for a malformed key. */
  readonly key: string | undefined;
}

/** Reads the key from the header, else from the query. Upstream URLs never contain it. */
export function readerSession(req: Request): ReaderSession {
  const rawKey = headerSessionKey(req) ?? querySessionKey(req.url);
  if (rawKey === '') return { isPresent: false, key: undefined };
  return { isPresent: true, key: rawKey !== undefined && isSessionKey(rawKey) ? rawKey : undefined };
}

/**
 * Reads the key from the header. A key in the body is read by the upstream.
 *
 * @throws AppError `unauthenticated` for a malformed key, which can't be forwarded as a header
 */
export function writerSessionKey(req: Request): string | undefined {
  const key = headerSessionKey(req);
  if (key !== undefined && !isSessionKey(key)) throw invalidSession();
  return key;
}

/** `""` if absent, undefined if malformed. */
function querySessionKey(url: string): string | undefined {
  try {
    const { sessionKey = '' } = readQuery({ sessionKey: true }, url);
    return typeof sessionKey === 'string' ? sessionKey : undefined;
  } catch (error) {
    if (hasCode(error, 'invalid')) return undefined;
    throw error;
  }
}
