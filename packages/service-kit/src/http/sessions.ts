import { AppError } from '@lobbystats/errors';

/** Whose session a request bears. */
export interface Caller {
  /** As the auth service spells it; one that a person can have, as it is written down. */
  readonly username: string;
}

/** Whose session a key is: what the auth service says. */
export interface Sessions {
  /**
   * @param key as a request bears it, of any form
   * @param need `optional`: the answer goes on without a caller when it can't be told in time whose session it is
   * @returns undefined when the key is not valid; for `optional` also when that can't be told
   * @throws AppError `unavailable` when it can't be told, for `required` alone
   */
  verify(key: string, need: 'optional' | 'required'): Promise<Caller | undefined>;
}

/** The longest session key, in characters: signed tokens are some thousands long, and all headers together may have 16 KiB. */
const KEY_MAX = 4096;

/** Whether a text can be a session key: visible ASCII. Whatever else is given is no key, and nobody is asked. */
export function isSessionKey(text: string): boolean {
  return text.length <= KEY_MAX && /^[\x21-\x7e]+$/.test(text);
}

/** What a caller is told whose session is not valid. */
export function invalidSession(): AppError {
  return new AppError('unauthenticated', 'Invalid session');
}
