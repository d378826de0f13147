import type { Operation, Reply } from '@lobbystats/contracts';
import type { z } from 'zod';
import type { Caller } from './sessions.ts';

/** An operation of any parameters, query and answer. */
export type AnyOperation = Omit<Operation, 'tags'>;

/** What an operation's body is once its schema has accepted it; unknown where it declares none. */
export type Body<Op extends AnyOperation> = z.output<NonNullable<Op['body']>>;

/** What a handler is given: parsed, defaulted. */
export interface Input<Op extends AnyOperation> {
  params: z.output<Op['params']>;
  query: z.output<Op['query']>;
  /** Of a POST. */
  body: Body<Op>;
  /** Whose session the request bears; always there where the operation requires one. */
  caller: Op['session'] extends 'required' ? Caller : Caller | undefined;
}

/** An operation and what answers it. */
export interface Route {
  readonly operation: AnyOperation;
  readonly handler: (input: Input<AnyOperation>) => Promise<Reply<AnyOperation>>;
}

/** Joins an operation to its handler, which throws AppErrors for what goes wrong. */
export function route<Op extends AnyOperation>(
  operation: Op,
  handler: (input: Input<Op>) => Promise<Reply<Op>>,
): Route {
  return { operation, handler: (input) => handler(input) };
}
