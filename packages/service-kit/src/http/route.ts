import type { Operation, Reply } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { z } from 'zod';
import type { Secret } from '../config/setting.ts';

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

export type AnyOperation = Omit<Operation, 'tags'>;

export type Body<Op extends AnyOperation> = z.output<NonNullable<Op['body']>>;

export interface Input<Op extends AnyOperation> {
  params: z.output<Op['params']>;
  query: z.output<Op['query']>;
  body: Body<Op>;
  caller: Op['session'] extends 'required' ? Caller : Caller | undefined;
  /** The caller's key, for requests to the auth service in the caller's name. */
  sessionKey: Op['session'] extends 'required' ? Secret : Secret | undefined;
}

export interface Route {
  readonly operation: AnyOperation;
  readonly handler: (input: Input<AnyOperation>) => Promise<Reply<AnyOperation>>;
  /** Default: none. */
  readonly timeoutMs?: number;
}

export function route<Op extends AnyOperation>(
  operation: Op,
  handler: (input: Input<Op>) => Promise<Reply<Op>>,
): Route {
  return { operation, handler };
}
