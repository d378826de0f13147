import { isValidUsername, normalizeUsername } from '@lobbystats/contracts';
import { createHttpClient } from '../client/create-http-client.ts';
import type { Caller } from '../http/route.ts';
import { z } from 'zod';

export interface Verification {
  /** null: an invalid key, or an impossible username. */
  readonly caller: Caller | null;
}

/** No usable response. The message contains nothing that was sent or received. */
export class AuthServiceError extends Error {
  override readonly name = 'AuthServiceError';
  readonly isKeySpecific: boolean;

  constructor(message: string, isOfKey = false) {
    super(message);
    this.isKeySpecific = isOfKey;
  }
}

export interface AuthServiceOptions {
  url: string;
  timeoutMs: number;
  maxSockets: number;
}

/** Longer responses are rejected. */
const MAX_RESPONSE_BYTES = 16 * 1024;
const PATH = '/api/auth/verify';
const IS_JSON = /^application\/json\s*(?:;|$)/i;
/** A longer `Retry-After` is shortened to this. */
const QUIET_MAX_MS = 60_000;
/** Refusals that don't depend on the key: a timeout, an early request, too many requests. */
const NOT_OF_KEY: ReadonlySet<number> = new Set([401, 408, 425, 429]);

const valid = z.object({ valid: z.literal(true), username: z.string() });
const validWithoutName = z.object({ valid: z.literal(true) });
const invalid = z.object({ valid: z.literal(false) });

/**
 * An invalid key needs both a 401 and `valid: false`, so that a proxy's 401 isn't one. An impossible username has no
 * caller. The returned function rejects with an {@link AuthServiceError} for anything else, a timeout or an oversized response.
 */
export function createKeyVerifier({
  url,
  timeoutMs,
  maxSockets,
}: AuthServiceOptions): (key: string) => Promise<Verification> {
  const client = createHttpClient({
    ...{ timeoutMs, maxBytes: MAX_RESPONSE_BYTES, maxSockets, quietMaxMs: QUIET_MAX_MS, mayRepeat: true },
  });
  const address = url + PATH;
  return async (sessionKey) => {
    const response = await client.post<unknown>(address, { sessionKey }).catch((error: unknown) => {
      throw new AuthServiceError(`the auth service did not respond: ${codeOf(error)}`);
    });
    const { status, data, headers } = response;
    const json = IS_JSON.test(String(headers['content-type'])) ? data : undefined;
    const yes = valid.safeParse(json);
    if (status === 200 && yes.success) {
      const { username } = yes.data;
      return { caller: isValidUsername(username) ? { username: normalizeUsername(username) } : null };
    }
    if (status === 401 && invalid.safeParse(json).success) return { caller: null };
    const isRefusal = status >= 400 && status < 500 && !NOT_OF_KEY.has(status);
    const isOfKey = isRefusal || (status === 200 && validWithoutName.safeParse(json).success);
    throw new AuthServiceError(`the auth service sent an unexpected response with status ${status}`, isOfKey);
  };
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'unknown fault';
}
