import type { IncomingMessage } from 'node:http';
import { AppError } from '@lobbystats/contracts/errors';
import { bodySessionKey, readBody, readJson } from './request-body.ts';
import type { Caller, Sessions } from './route.ts';

/** Signed tokens may have some thousands of characters; all headers together have at most 16 KiB. */
const KEY_MAX = 4096;

/** Keys are visible ASCII; any other text is invalid without asking the auth service. */
export function isSessionKey(text: string): boolean {
  return text.length <= KEY_MAX && /^[\x21-\x7e]+$/.test(text);
}

export function invalidSession(): AppError {
  return new AppError('unauthenticated', 'Invalid session');
}

/** The unvalidated session key of the header; undefined if empty or absent. */
export function headerSessionKey({ headers }: IncomingMessage): string | undefined {
  const header = headers['x-session-key'];
  const key = Array.isArray(header) ? header.join(', ') : header;
  return key === '' ? undefined : key;
}

/** The caller of an operation with an optional session. */
export async function optionalCaller(sessions: Sessions, req: IncomingMessage): Promise<Caller | undefined> {
  const key = headerSessionKey(req);
  return key === undefined || !isSessionKey(key) ? undefined : sessions.verify(key, 'optional');
}

/** @throws AppError `invalid`, `unauthenticated`, `unavailable` */
export async function authenticateHeader(req: IncomingMessage, sessions: Sessions) {
  return { ...(await verifyKey(sessions, headerSessionKey(req))), json: undefined };
}

/** Prefers the header's key. @throws HttpError; AppError `invalid`, `unauthenticated`, `unavailable` */
export async function authenticateBody(req: IncomingMessage, sessions: Sessions) {
  const bytes = await readBody(req);
  const headerKey = headerSessionKey(req);
  if (headerKey !== undefined) return { ...(await verifyKey(sessions, headerKey)), json: readJson(bytes) };
  const json = readJson(bytes);
  return { ...(await verifyKey(sessions, bodySessionKey(json))), json };
}

async function verifyKey(sessions: Sessions, key = ''): Promise<{ caller: Caller; sessionKey: string }> {
  if (key === '') throw new AppError('invalid', 'sessionKey is required');
  const caller = isSessionKey(key) ? await sessions.verify(key, 'required') : undefined;
  if (caller === undefined) throw invalidSession();
  return { caller, sessionKey: key };
}
