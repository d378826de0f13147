import { isUsername, plainUsername } from '@lobbystats/contracts';
import { createHttpClient, type Caller } from '@lobbystats/service-kit';
import { z } from 'zod';

export interface Verdict {
  /** null: invalid, or a name that can't exist here. */
  readonly caller: Caller | null;
}

/** No usable answer. The message contains nothing that was sent or received. */
export class AuthFault extends Error {
  override readonly name = 'AuthFault';
  readonly isOfKey: boolean;

  constructor(message: string, isOfKey = false) {
    super(message);
    this.isOfKey = isOfKey;
  }
}

export interface AuthServiceOptions {
  url: string;
  timeoutMs: number;
  maxSockets: number;
}

/** Longer answers are refused. */
const ANSWER_BYTES_MAX = 16 * 1024;
const PATH = '/api/auth/verify';

const valid = z.object({ valid: z.literal(true), username: z.string() });
const validOfNobody = z.object({ valid: z.literal(true) });
const invalid = z.object({ valid: z.literal(false) });

/**
 * A refusal needs both a 401 and `valid: false`, so that a proxy's 401 isn't one. A name that can't exist here has no
 * caller. The returned function rejects with an {@link AuthFault} for anything else, a timeout or an oversized answer.
 */
export function askAuthService({ url, timeoutMs, maxSockets }: AuthServiceOptions): (key: string) => Promise<Verdict> {
  const client = createHttpClient({ timeoutMs, maxBytes: ANSWER_BYTES_MAX, maxSockets });
  const address = url + PATH;
  return async (sessionKey) => {
    const answer = await client
      .post<string>(address, { sessionKey }, { responseType: 'text', transformResponse: (text: string) => text })
      .catch((error: unknown) => {
        throw new AuthFault(`the auth service gave no answer: ${codeOf(error)}`);
      });
    const { status, data, headers } = answer;
    const json = isJson(headers['content-type']) ? parsed(data) : undefined;
    const yes = valid.safeParse(json);
    if (status === 200 && yes.success) return { caller: callerOf(yes.data.username) };
    if (status === 401 && invalid.safeParse(json).success) return { caller: null };
    const isRefusal = status >= 400 && status < 500 && status !== 401;
    const isOfKey = isRefusal || (status === 200 && validOfNobody.safeParse(json).success);
    throw new AuthFault(`the auth service answered with ${status} and nothing that was asked for`, isOfKey);
  };
}

function callerOf(username: string): Caller | null {
  return isUsername(username) ? { username: plainUsername(username) } : null;
}

function isJson(contentType: unknown): boolean {
  return typeof contentType === 'string' && /^application\/json\s*(?:;|$)/i.test(contentType);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'unknown fault';
}
