import type { Operation } from '@lobbystats/contracts';
import type { z } from 'zod';

/** An operation of any parameters, query and answer. */
export type AnyOperation = Omit<Operation, 'tags'>;

/** What a handler is given: parsed, defaulted. */
export interface Input<Op extends AnyOperation> {
  params: z.output<Op['params']>;
  query: z.output<Op['query']>;
}

/** What a handler answers with. */
export interface Reply<Op extends AnyOperation> {
  body: z.input<Op['answer']>;
  /** The newest slot or change that the body shows, in epoch seconds: `Last-Modified`. */
  lastModified?: number;
  /** Where the next page begins: a `Link` to the same request with this `offset`. */
  nextOffset?: number;
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
