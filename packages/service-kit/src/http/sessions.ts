import { AppError } from '@lobbystats/errors';

export interface Caller {
  /** Canonical spelling, from the auth service. */
  readonly username: string;
}

export interface Sessions {
  /** Without a response of the auth service: undefined for `optional`, throws AppError `unavailable` for `required`. */
  verify(key: string, need: 'optional' | 'required'): Promise<Caller | undefined>;
}

/** Signed tokens may have some thousands of characters; all headers together have at most 16 KiB. */
const KEY_MAX = 4096;

/** Keys are visible ASCII; any other text is invalid without asking the auth service. */
export function isSessionKey(text: string): boolean {
  return text.length <= KEY_MAX && /^[\x21-\x7e]+$/.test(text);
}

export function invalidSession(): AppError {
  return new AppError('unauthenticated', 'Invalid session');
}
