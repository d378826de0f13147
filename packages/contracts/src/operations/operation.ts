import { z } from 'zod';
import { timeForm } from '../primitives/query.ts';
import type { EpochSeconds } from '../primitives/time.ts';
import type { ServiceName } from '../services.ts';

type Fields = z.ZodObject;

type SessionNeed = 'none' | 'optional' | 'required';

/** Groups of operations in the documents, in their order. */
export const operationGroups = {
  Site: 'Counts over the whole network: registered users, users online, open lobbies, records.',
  Online: 'Who plays what, now and before.',
  Leaderboards: 'Boards as they stand and as they stood, and what has changed on them.',
  Matches: 'Open matches, matches of the last 30 days and daily statistics.',
  Search: 'Entries of all leaderboards, searched by time, by player, by rank; names while they are typed.',
  Events: 'Announced events and tournaments, free and paid.',
  Achievements: 'The site’s own achievements, and who has them.',
  People: 'Players, and profiles, play time, achievements and reputation of the site’s users.',
  Account: 'The own account, with a session.',
  Live: 'What happens, as it happens.',
  About: 'What the API says of itself.',
  Games: 'The games that are tracked.',
} as const;
export type OperationGroup = keyof typeof operationGroups;

/** One route as data: for the upstream, the gateway's proxy, tests and the OpenAPI document. */
export interface Operation<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Response extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Session extends SessionNeed = SessionNeed,
> {
  /** `verbNoun`; OpenAPI's operationId. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Second method with the same effect. */
  readonly alias?: 'PATCH';
  /** The path at the upstream, and for public operations also at the gateway; `:name` is a parameter. */
  readonly path: string;
  /** Alternative path at the gateway, which resolves `:game` (a name or title ID) and proxies {@link path}. */
  readonly gamePath?: string;
  readonly gamePathAlias?: string;
  /** `:game` is a title ID if a game has it, else a name. Default: a name first. */
  readonly prefersTitleId?: true;
  /** The service that answers; `gateway`: composed there of other services' responses. */
  readonly upstream: ServiceName;
  /** `internal`: between services, neither at the gateway nor in OpenAPI. */
  readonly audience: 'public' | 'internal';
  /** Default: `Games`. */
  readonly group: OperationGroup;
  /**
   * `optional`: key in `X-Session-Key`, or at the gateway in the query's `sessionKey`; an invalid key counts as none.
   * `required`: key in `X-Session-Key` or, with a body, in its `sessionKey`; verified before the rest of the request.
   */
  readonly session: Session;
  readonly params: Params;
  readonly query: Query;
  readonly body?: Body;
  /** Body of a 200. */
  readonly response: Response;
  /** See {@link sampleRequest}. */
  readonly sample?: { readonly query?: Readonly<Record<string, string>>; readonly body?: unknown };
  /** Reasons of errors by status, for the documents, unless they follow from parameters and session. */
  readonly errors?: Readonly<Partial<Record<400 | 403 | 404 | 502, string>>>;
  /** Field of the rows, `''` if the body itself is the array. The gateway also serves rows as CSV and NDJSON. */
  readonly rows?: string;
  /** Rows have all of their optional fields, or none of them. Default: none. */
  readonly hasOptionalFields?: (query: Readonly<Record<string, unknown>>) => boolean;
  /** Points of series that a response is made of. Default: at most those of one series. */
  readonly points?: (query: Readonly<Record<string, unknown>>) => number;
  /** Media type of a text response. Default: JSON. */
  readonly mediaType?: string;
  /** `coalesce`: any text gets a 200, so stored responses would be unbounded. Default: by the query. */
  readonly cache?: 'coalesce';
  /** Texts of path parameters; equal ones have equal responses. Default: usernames in any case. */
  readonly cacheKeys?: Readonly<Record<string, (text: string) => string>>;
  /**
   * Two systems that read the same network may answer differently: the response depends on the time of a reading, on who is online,
   * on the oldest slot, on slots without lobbies, on the backfill, or on the form of the system.
   */
  readonly varies?: true;
  /** Shows the newest slot: the gateway asks again as soon as a slot can be read, so that no reader waits for it. */
  readonly present?: true;
  /** A response without timestamps does not take `time`. */
  readonly hasTimestamps?: boolean;
  /**
   * A fact with one of these cache tags invalidates the response. They tell how long it is fresh: {@link freshUntil}. A tag
   * may name a path parameter: `title::titleId`, see {@link tagsOf}.
   */
  readonly tags: readonly string[];
}

export function gamePathsOf({
  gamePath,
  gamePathAlias,
}: Pick<Operation, 'gamePath' | 'gamePathAlias'>): readonly string[] {
  return [gamePath, gamePathAlias].filter((path) => path !== undefined);
}

/** All paths at the gateway, {@link Operation.path} first. */
export function pathsOf(operation: Pick<Operation, 'path' | 'gamePath' | 'gamePathAlias'>): readonly string[] {
  return [operation.path, ...gamePathsOf(operation)];
}

export type OperationQuery<Op extends Operation> = z.output<Op['query']>;

export type OperationResponse<Op extends Operation> = z.input<Op['response']>;

export interface Reply<Op extends Pick<Operation, 'response'>> {
  /** Text if the operation has a media type. */
  body: z.input<Op['response']>;
  /** Must equal `JSON.stringify(body)` in UTF-8; for stores that keep JSON. */
  json?: Buffer;
  /** Newest slot or change in the body. */
  lastModified?: EpochSeconds | undefined;
  /** File name of a download: ASCII letters, digits, `.`, `_` and `-`. */
  fileName?: string;
  /** Parameters to replace for the next page's `Link`; undefined ones are left out. */
  next?: Readonly<Record<string, string | number | undefined>> | undefined;
}

export function operation<
  Params extends Fields,
  Query extends Fields,
  Response extends z.ZodType,
  Body extends z.ZodType = z.ZodType,
  const Session extends SessionNeed = SessionNeed,
>(
  definition: Omit<Operation<Params, Query, Response, Body, Session>, 'group'> & Partial<Pick<Operation, 'group'>>,
): Operation<Params, Query, Response, Body, Session> {
  return Object.freeze({ group: 'Games', ...definition, query: withTimeForm(definition) as Query });
}

/** `getBusyHours` responds with `BusyHours`, unless the response has a name. */
export function nameResponse({ audience, id, response }: Pick<Operation, 'audience' | 'id' | 'response'>): void {
  if (audience === 'internal' || !(response instanceof z.ZodObject) || nameOf(response) !== undefined) return;
  const name = id.replace(/^get(?=[A-Z])/, '');
  response.register(z.globalRegistry, { ...response.meta(), id: name.charAt(0).toUpperCase() + name.slice(1) });
}

/** Name of a schema in the OpenAPI document and the client's types. */
export function nameOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}

type TimeFormed = Pick<Operation, 'audience' | 'mediaType' | 'hasTimestamps' | 'query'>;

/** Handlers ignore `time`: service-kit and the gateway apply it to the whole response. */
function withTimeForm({ audience, mediaType, hasTimestamps = true, query }: TimeFormed): Fields {
  const isTimed = audience === 'public' && mediaType === undefined && hasTimestamps;
  return isTimed ? query.safeExtend({ time: timeForm }) : query;
}

export interface RowShape {
  /** Field of the array, `''` if the body is the array. */
  readonly at: string;
  /** Texts have one column, `name`; objects one per field, in schema order. */
  readonly of: 'objects' | 'texts';
  readonly columns: readonly string[];
}

/** @param query validated or canonical. @returns undefined if the operation has no rows */
export function rowShape(
  { id, response, rows: at, hasOptionalFields }: Pick<Operation, 'id' | 'response' | 'rows' | 'hasOptionalFields'>,
  query: Readonly<Record<string, unknown>>,
): RowShape | undefined {
  if (at === undefined) return undefined;
  const row = elementOf(at === '' ? response : fieldsOf(response)[at]);
  if (row instanceof z.ZodString) return { at, of: 'texts', columns: ['name'] };
  const withOptional = hasOptionalFields?.(query) ?? false;
  const fields = Object.entries(fieldsOf(row)).filter(([, field]) => withOptional || !(field instanceof z.ZodOptional));
  if (fields.length === 0) throw new Error(`${id} has no rows ${at}`);
  return { at, of: 'objects', columns: fields.map(([name]) => name) };
}

function elementOf(schema: unknown): unknown {
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

function fieldsOf(schema: unknown): Readonly<Record<string, unknown>> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}
