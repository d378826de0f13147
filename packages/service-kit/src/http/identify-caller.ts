import type { IncomingMessage } from 'node:http';
import { AppError } from '@lobbystats/errors';
import { readJson } from './parse-body.ts';
import { readBody } from './read-body.ts';
import { invalidSession, isSessionKey, type Caller, type Sessions } from './sessions.ts';

/** The session key in a request's header, as it is; undefined where there is none, or an empty one. */
export function headerSessionKey({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-session-key'];
  const key = Array.isArray(given) ? given.join(', ') : given;
  return key === '' ? undefined : key;
}

/** Who reads: whoever's valid key is in the header, if that can be told. */
export async function identifyReader(sessions: Sessions, req: IncomingMessage): Promise<Caller | undefined> {
  const key = headerSessionKey(req);
  return key === undefined || !isSessionKey(key) ? undefined : sessions.verify(key, 'optional');
}

/**
 * Who writes, by the key in the header, else by `sessionKey` of the body, and the body as JSON. A body whose sender is known
 * by the header is not looked at before that.
 *
 * @throws HttpProblem, AppError `invalid` for a body that can't be read, see `readBody` and `readJson`
 * @throws AppError `invalid` where there is no key, `unauthenticated` for one that is not valid, `unavailable` when that
 *   can't be told
 */
export async function readWriter(req: IncomingMessage, sessions: Sessions): Promise<Writer> {
  const bytes = await readBody(req);
  const inHeader = headerSessionKey(req);
  if (inHeader !== undefined) {
    return { caller: await verified(sessions, inHeader), sessionKey: inHeader, json: readJson(bytes) };
  }
  const json = readJson(bytes);
  const sessionKey = bodySessionKey(json);
  return { caller: await verified(sessions, sessionKey), sessionKey, json };
}

/** Who writes, and what. */
interface Writer {
  readonly caller: Caller;
  readonly sessionKey: string | undefined;
  readonly json: unknown;
}

/**
 * A body without `sessionKey`, which every operation takes that needs a session.
 *
 * @throws AppError `invalid` for a key that is no text
 */
export function withoutSessionKey(body: unknown): unknown {
  bodySessionKey(body);
  if (!isObject(body)) return body;
  const { sessionKey: _, ...rest } = body;
  return rest;
}

async function verified(sessions: Sessions, key = ''): Promise<Caller> {
  if (key === '') throw new AppError('invalid', 'sessionKey is required');
  const caller = isSessionKey(key) ? await sessions.verify(key, 'required') : undefined;
  if (caller === undefined) throw invalidSession();
  return caller;
}

function bodySessionKey(body: unknown): string | undefined {
  if (!isObject(body) || !Object.hasOwn(body, 'sessionKey')) return undefined;
  const { sessionKey } = body;
  if (typeof sessionKey === 'string') return sessionKey;
  throw new AppError('invalid', 'sessionKey must be a text');
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
