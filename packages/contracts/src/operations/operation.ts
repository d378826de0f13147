import type { z } from 'zod';
import type { ServiceName } from '../services.ts';

/** Path parameters and queries are objects of named schemas. */
export type Fields = z.ZodObject;

/**
 * One route, as data. The owner mounts it, the gateway mounts the proxy to it, both validate by it, tests check answers
 * by it, and the OpenAPI document is made from it.
 */
export interface Operation<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Unique name, `verbNoun`; OpenAPI's operationId. */
  readonly id: string;
  /** One sentence for people. */
  readonly summary: string;
  readonly method: 'GET';
  /** Where its owner serves it, with `:name` for a parameter. Public ones have the same path at the gateway. */
  readonly path: string;
  /**
   * The same resource asked for by a game's name, or by a title ID in its place: `:game` stands for it. The gateway serves
   * it by resolving the name and asking the owner at {@link path}, so both answer the same bytes.
   */
  readonly gamePath?: string;
  /** The service that answers. */
  readonly owner: ServiceName;
  /** `internal` operations are between services: the gateway doesn't serve them and OpenAPI doesn't list them. */
  readonly audience: 'public' | 'internal';
  /** Whether the caller's session key is read: `none` never looks at it. */
  readonly session: 'none' | 'optional' | 'required';
  readonly params: Params;
  readonly query: Query;
  /** The body of a 200. */
  readonly answer: Answer;
  /** What the answer is made of: a fact that bears one of these tags makes a kept copy stale. */
  readonly tags: (params: z.output<Params>) => readonly string[];
}

/** What a handler answers with. */
export type OperationAnswer<Op extends Operation> = z.input<Op['answer']>;

/** Declares an operation and keeps its types. */
export function operation<Params extends Fields, Query extends Fields, Answer extends z.ZodType>(
  definition: Operation<Params, Query, Answer>,
): Operation<Params, Query, Answer> {
  return Object.freeze(definition);
}
