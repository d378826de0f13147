import type { z } from 'zod';
import type { EpochSeconds } from '../primitives/time.ts';
import type { ServiceName } from '../services.ts';

/** Path parameters and queries are objects of named schemas. */
export type Fields = z.ZodObject;

/** What an operation wants of the caller's session. */
export type SessionNeed = 'none' | 'optional' | 'required';

/**
 * One route, as data. The owner mounts it, the gateway mounts the proxy to it, both validate by it, tests check answers
 * by it, and the OpenAPI document is made from it.
 */
export interface Operation<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Answer extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Session extends SessionNeed = SessionNeed,
> {
  /** Unique name, `verbNoun`; OpenAPI's operationId. */
  readonly id: string;
  /** One sentence for people. */
  readonly summary: string;
  /** What else people should know; Markdown. */
  readonly description?: string;
  readonly method: 'GET' | 'POST';
  /** Another method that does the same at the same path. */
  readonly alias?: 'PATCH';
  /** Where its owner serves it, with `:name` for a parameter. Public ones have the same path at the gateway. */
  readonly path: string;
  /**
   * The same resource asked for by a game's name, or by a title ID in its place: `:game` stands for it. The gateway serves
   * it by resolving the name and asking the owner at {@link path}, so both answer the same bytes.
   */
  readonly gamePath?: string;
  /** A second path by a game's name with the same answer as {@link gamePath}. */
  readonly gamePathAlias?: string;
  /** The service that answers. */
  readonly owner: ServiceName;
  /** `internal` operations are between services: the gateway doesn't serve them and OpenAPI doesn't list them. */
  readonly audience: 'public' | 'internal';
  /**
   * Whether the caller's session key is read: `none` never looks at it. `optional`: it is in the header `X-Session-Key`, or at
   * the gateway in the query's `sessionKey`; one that isn't valid is as none. `required`: it is in the header or in the body's
   * `sessionKey`, and is looked at before all else of the request.
   */
  readonly session: Session;
  readonly params: Params;
  readonly query: Query;
  /** What a POST brings, as JSON. */
  readonly body?: Body;
  /** The body of a 200. */
  readonly answer: Answer;
  /** Why it may refuse what is well-formed, by status, where that can't be told from its parameters and its session. */
  readonly refusals?: Readonly<Partial<Record<400 | 403 | 404 | 502, string>>>;
  /**
   * The name of the body's one array, `''` where the body itself is that array. Its rows can also be had as CSV and NDJSON: the
   * query has `format`, which the gateway alone heeds. Absent where there are no such rows.
   */
  readonly rows?: string;
  /** Whether an answer's rows have their optional fields: each has all of them, or none has any. Without it none has. */
  readonly hasOptionalFields?: (query: Readonly<Record<string, unknown>>) => boolean;
  /** Where the answer isn't JSON: its media type; the answer is then its text. */
  readonly mediaType?: string;
  /**
   * How long a shared cache may show an answer unasked. `slot` (default): to the next slot's expected publication; `never`: who
   * wrote reads their own write at once.
   */
  readonly freshFor?: 'slot' | 'never';
  /** What the answer is made of: a fact that bears one of these tags makes a kept copy stale. */
  readonly tags: (params: z.output<Params>) => readonly string[];
}

/** The paths of an operation that take a game's name: none, one or two. */
export function gamePathsOf({
  gamePath,
  gamePathAlias,
}: Pick<Operation, 'gamePath' | 'gamePathAlias'>): readonly string[] {
  return [gamePath, gamePathAlias].filter((path) => path !== undefined);
}

/** Every path at which the gateway serves a public operation, the upstream's own first. */
export function pathsOf(operation: Pick<Operation, 'path' | 'gamePath' | 'gamePathAlias'>): readonly string[] {
  return [operation.path, ...gamePathsOf(operation)];
}

/** What a handler answers with. */
export type OperationAnswer<Op extends Operation> = z.input<Op['answer']>;

/** What a use case answers an operation with. */
export interface Reply<Op extends Pick<Operation, 'answer'>> {
  /** Text where the operation names a media type, else what becomes JSON. */
  body: z.input<Op['answer']>;
  /** The body as JSON in UTF-8, where whoever makes it has that for less than `JSON.stringify`: the very same text. */
  json?: Buffer;
  /** The newest slot or change that the body shows, in epoch seconds: `Last-Modified`. */
  lastModified?: EpochSeconds;
  /** Where the next page begins: a `Link` to the same request with these parameters instead; undefined ones are left out. */
  next?: Readonly<Record<string, string | number | undefined>>;
}

/** Declares an operation and keeps its types. */
export function operation<
  Params extends Fields,
  Query extends Fields,
  Answer extends z.ZodType,
  Body extends z.ZodType = z.ZodType,
  const Session extends SessionNeed = SessionNeed,
>(definition: Operation<Params, Query, Answer, Body, Session>): Operation<Params, Query, Answer, Body, Session> {
  return Object.freeze(definition);
}
