import type { Operation, Reply } from '@lobbystats/contracts';
import type { z } from 'zod';
import type { Caller } from './sessions.ts';

export type AnyOperation = Omit<Operation, 'tags'>;

export type Body<Op extends AnyOperation> = z.output<NonNullable<Op['body']>>;

export interface Input<Op extends AnyOperation> {
  params: z.output<Op['params']>;
  query: z.output<Op['query']>;
  body: Body<Op>;
  caller: Op['session'] extends 'required' ? Caller : Caller | undefined;
}

export interface Route {
  readonly operation: AnyOperation;
  readonly handler: (input: Input<AnyOperation>) => Promise<Reply<AnyOperation>>;
}

export function route<Op extends AnyOperation>(
  operation: Op,
  handler: (input: Input<Op>) => Promise<Reply<Op>>,
): Route {
  return { operation, handler };
}
