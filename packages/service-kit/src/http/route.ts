import type { Operation, Reply } from '@lobbystats/contracts';
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
