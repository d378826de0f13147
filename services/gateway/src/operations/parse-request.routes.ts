import { isDeepStrictEqual } from 'node:util';
import { freshUntil, tagsOf, usernameKey, type Operation } from '@lobbystats/contracts';
import { AppError, hasCode } from '@lobbystats/contracts/errors';
import {
  decodedParams,
  headerSessionKey,
  invalidSession,
  isSessionKey,
  notFound,
  parseBody,
  parseParams,
  parseQuery,
  readBody,
  readQuery,
} from '@lobbystats/service-kit';
import type { Request } from 'express';
import { z } from 'zod';
import type { CachePolicy } from '../cache/cache-request.ts';
import type { RequestExtras, Values } from '../upstreams/upstreams.ts';

export interface PublicRequest extends RequestExtras {
  readonly operation: Operation;
  readonly params: Values;
  readonly query: Values;
  readonly hasSession: boolean;
}

/** A validated request, with its query in canonical form. */
export interface ParsedRequest extends PublicRequest {
  /** See {@link CacheRule}. */
  readonly key: string;
  readonly policy: CachePolicy;
  readonly tags: readonly string[];
  /** Whether its URL stands for its key until titles change. */
  readonly hasUrlKey: boolean;
}

/**
 * @param params of its path, encoded
 * @throws AppError, HttpError for the caller's faults
 */
export type RequestParser = (req: Request, params: Request['params']) => Promise<ParsedRequest>;

/** @param resolveGame title ID of a name or title ID */
export function requestParser(operation: Operation, resolveGame: (game: string) => string | undefined): RequestParser {
  const { method, session: sessionNeed } = operation;
  const rule = cacheRule(operation);
  // The empty query is parsed once.
  const none = operation.query.safeParse({}).success ? canonicalQuery(operation, '') : undefined;
  return async (req, encodedParams) => {
    const params = parseParams(operation, encodedParams) as Values;
    const tags = tagsOf([operation], params);
    const body = operation.body === undefined ? undefined : parseBody(operation, await readBody(req));
    const query =
      none === undefined || req.url.includes('?') ? byTitle(canonicalQuery(operation, req.url), resolveGame) : none;
    const session = sessionNeed === 'optional' ? readerSession(req) : undefined;
    const hasSession = session?.isPresent === true;
    const policy = rule.policy(query);
    const isIndexed = method === 'GET' && sessionNeed === 'none' && policy === 'store';
    return {
      ...{ operation, params, query, body, sessionKey: session?.key, hasSession, policy, tags },
      key: rule.key(params, query, body),
      hasUrlKey: isIndexed && rule.hasOnlyKnownParameters(req.url),
    };
  };
}

/**
 * The filter by game as a title ID: services have names that they learn later.
 *
 * @throws AppError `not-found` for an unknown game, `invalid` for two of them
 */
function byTitle({ game, ...query }: Values, resolveGame: (game: string) => string | undefined): Values {
  if (game === undefined) return query;
  const titleId = resolveGame(String(game));
  if (titleId === undefined) throw notFound('game');
  if (query['titleId'] !== undefined && query['titleId'] !== titleId) {
    throw new AppError('invalid', 'game and titleId must be of the same game');
  }
  return { ...query, titleId };
}

/**
 * Reads a request without validation: its upstream verifies the session first, and rejects a parameter that was given twice.
 *
 * @throws HttpError for a body that can't be forwarded; AppError `unauthenticated` for a malformed key in the header
 */
export async function readSessionRequest(operation: Operation, req: Request): Promise<PublicRequest> {
  const query = Object.entries(readQuery(operation.query.shape, req.url)).map(([name, text]) => [name, String(text)]);
  const params = decodedParams(req.params) as Values;
  const body = operation.body === undefined ? undefined : await readBody(req);
  // A key in the body is read by the upstream.
  const sessionKey = headerSessionKey(req);
  if (sessionKey !== undefined && !isSessionKey(sessionKey)) throw invalidSession();
  const method = req.method === operation.alias ? operation.alias : undefined;
  return { operation, params, query: Object.fromEntries(query) as Values, body, method, sessionKey, hasSession: true };
}

interface ReaderSession {
  /** A response to a request with a session is not shared. */
  readonly isPresent: boolean;
  /** Undefined for a malformed key. */
  readonly key: string | undefined;
}

/** Reads the key from the header, else from the query. Upstream URLs never contain it. */
function readerSession(req: Request): ReaderSession {
  const rawKey = headerSessionKey(req) ?? querySessionKey(req.url);
  if (rawKey === '') return { isPresent: false, key: undefined };
  return { isPresent: true, key: rawKey !== undefined && isSessionKey(rawKey) ? rawKey : undefined };
}

/** `""` if absent, undefined if malformed. */
function querySessionKey(url: string): string | undefined {
  try {
    const { sessionKey = '' } = readQuery({ sessionKey: true }, url);
    return typeof sessionKey === 'string' ? sessionKey : undefined;
  } catch (error) {
    if (hasCode(error, 'invalid')) return undefined;
    throw error;
  }
}

/**
 * Known parameters with defaults, each in its canonical text. A value that its schema transforms, such as a time, stays
 * as given.
 *
 * @param parsed the query as its schema parsed it, if that is known
 * @throws AppError `invalid`, with the parameter's name and its schema's message
 */
export function canonicalQuery(
  operation: Pick<Operation, 'query'>,
  rawUrl: string,
  parsed: object = parseQuery(operation, rawUrl),
): Values {
  const shape: Readonly<Record<string, z.core.$ZodType>> = operation.query.shape;
  const rawValues = readQuery(shape, rawUrl);
  const canonical: Record<string, string> = {};
  for (const [name, value] of Object.entries(parsed) as [string, ParsedValue][]) {
    if (value === undefined) continue;
    const plain = String(value);
    const text = rawValues[name];
    const isPlain = typeof text !== 'string' || text === plain || isRoundTrip(shape[name], value);
    canonical[name] = isPlain ? plain : text;
  }
  return canonical;
}

type ParsedValue = string | number | readonly string[] | undefined;

/** Whether a parsed value's text parses to the same value. */
function isRoundTrip(schema: z.core.$ZodType | undefined, value: ParsedValue): boolean {
  return schema !== undefined && isDeepStrictEqual(z.safeParse(schema, String(value)).data, value);
}

const VALUES_MAX = 1000;

export interface CacheRule {
  /** Equal only for requests with equal responses. Built from the canonical form. */
  readonly key: (params: Values, query: Values, body: unknown) => string;
  readonly policy: (query: Values) => CachePolicy;
  /** Whether a raw query has no unknown parameters. */
  readonly hasOnlyKnownParameters: (rawUrl: string) => boolean;
}

/**
 * Responses are stored if their parameters are absent, default, or have few values. Free text, cursors, deep offsets and
 * past days are fetched each time.
 */
export function cacheRule({
  id,
  query: schema,
  cache,
  cacheKeys = { username: usernameKey },
  tags,
}: Pick<Operation, 'id' | 'query' | 'cache' | 'cacheKeys' | 'tags'>): CacheRule {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const listable = new Map(Object.entries(shape).map(([name, field]) => [name, isListable(field)]));
  const defaults: Readonly<Record<string, unknown>> = schema.safeParse({}).data ?? {};
  const isWritten = freshUntil(tags) === 'write';
  const isStorable = (name: string, value: unknown) =>
    listable.get(name) === true || value === undefined || value === String(defaults[name]);
  const normalize = ([name, value]: [string, Values[string]]) => [name, cacheKeys[name]?.(String(value)) ?? value];
  return {
    key: (params, query, body) => JSON.stringify([id, Object.entries(params).map(normalize), query, body]),
    policy: (query) => {
      const isUnbounded =
        cache === 'coalesce' || !Object.entries(query).every(([name, value]) => isStorable(name, value));
      if (isUnbounded) return 'coalesce';
      return isWritten ? 'revalidate' : 'store';
    },
    hasOnlyKnownParameters: (rawUrl) => {
      const [, query = ''] = rawUrl.split(/[?#](.*)/s, 2);
      return query === '' || query.split('&').every((pair) => listable.has(pair.split('=', 1)[0] ?? ''));
    },
  };
}

const listableFields = new WeakMap<z.core.$ZodType, boolean>();

/** A list of values, or bounded integers. Derived once for a field, which operations share. */
function isListable(field: z.core.$ZodType): boolean {
  const known = listableFields.get(field) ?? isListableSchema(field);
  listableFields.set(field, known);
  return known;
}

function isListableSchema(field: z.core.$ZodType): boolean {
  const { type, enum: values, minimum, maximum } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  if (values !== undefined) return true;
  return type === 'integer' && Number(maximum) - Number(minimum) < VALUES_MAX;
}
