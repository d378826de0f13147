import {
  allOperations,
  formats,
  gamePathsOf,
  isoTimesOf,
  rowMediaTypes,
  type Operation,
  type RowFormat,
} from '@lobbystats/contracts';
import {
  entityTag,
  JSON_TYPE,
  mountOperations,
  notFound,
  parseQuery,
  type RequestHandler,
} from '@lobbystats/service-kit';
import type { Express, Request } from 'express';
import { LargeBody, type OriginResponse } from '../cache/cache-request.ts';
import { EncodedBodies, strongTag } from '../cache/encoded-bodies.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { UrlIndex } from './serve-from-cache.routes.ts';
import { formatResponse } from '../formats/format-response.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import type { Composition, Upstreams, Values } from '../upstreams/upstreams.ts';
import { readSessionRequest, requestParser, type ParsedRequest, type PublicRequest } from './parse-request.routes.ts';
import { preferredEncoding, sendResponse } from './send-response.routes.ts';

export interface PublicOperationsOptions {
  upstreams: Upstreams;
  directory: TitleDirectory;
  cache: ResponseCache;
  /** Receives the cache keys of URLs for `serveFromCache`. */
  urlIndex: UrlIndex<string>;
  compositions: ReadonlyMap<string, Composition>;
}

/** Mounts each public operation of the contracts at its path, and at its path by game name if it has one. */
export function mountPublicOperations(app: Express, options: PublicOperationsOptions): void {
  const { directory } = options;
  const routes = allOperations
    .filter(({ audience }) => audience === 'public')
    .flatMap((operation) => {
      if (operation.session === 'required')
        return [{ path: operation.path, operation, handler: forwardingHandler(operation, options) }];
      const parse = requestParser(operation, (game) => directory.resolve(game));
      const byId = cachingHandler(operation, (req) => parse(req, req.params), options);
      const byName = cachingHandler(
        operation,
        (req) => parse(req, { ...req.params, titleId: resolveTitleId(directory, operation, req.params) }),
        options,
      );
      return [
        { path: operation.path, operation, handler: byId },
        ...gamePathsOf(operation).map((path) => ({ path, operation, handler: byName })),
      ];
    });
  mountOperations(app, routes);
}

/** Forwards requests unvalidated: their upstream verifies the session first. */
function forwardingHandler(
  operation: Operation,
  { upstreams, cache, compositions }: PublicOperationsOptions,
): RequestHandler {
  const compose = inTimeForm(operation, compositions.get(operation.id));
  return async (req, res) => {
    const request = await readSessionRequest(operation, req);
    const response = cache.unshared(operation, await fetchOrigin(request, upstreams, compose));
    // The upstreams of a composition don't get its query.
    if (compose !== undefined) parseQuery(operation, req.originalUrl);
    await sendResponse(req, res, cache, { operation, response, hasSession: true });
  };
}

function cachingHandler(
  operation: Operation,
  parse: (req: Request) => Promise<ParsedRequest>,
  { upstreams, cache, urlIndex, compositions }: PublicOperationsOptions,
): RequestHandler {
  const { id, upstream, path, present } = operation;
  const compose = inTimeForm(operation, compositions.get(id));
  return async (req, res) => {
    const { generation } = urlIndex;
    const request = await parse(req);
    const { key, policy, tags, hasSession } = request;
    const encoding = preferredEncoding(req.headers['accept-encoding']);
    const isPresent = present === true && req.originalUrl === path;
    const fetch = () => fetchOrigin(request, upstreams, compose);
    const response = hasSession
      ? cache.unshared(operation, await fetch())
      : await cache.getOrFetch({ key, policy, isPresent, encoding, fetch, operation: id, upstream, tags });
    await sendResponse(req, res, cache, { operation, response, encoding, hasSession });
    if (request.hasUrlKey) urlIndex.set(req.originalUrl, key, generation);
  };
}

/**
 * Fetches a response from the upstream or a composition, in the requested format.
 *
 * @throws AppError, HttpError as upstreams do
 */
async function fetchOrigin(
  request: PublicRequest,
  upstreams: Upstreams,
  compose: Composition | undefined,
): Promise<OriginResponse> {
  const { operation, params, sessionKey } = request;
  const { format: requested, ...query } = request.query;
  const format = formats.find((one) => one === requested) ?? 'json';
  const fetched =
    compose === undefined
      ? await upstreams.fetchOrStream(operation, params, query, request)
      : await compose({ params, query, sessionKey }, upstreams.withSharedDeadline());
  const response = format === 'json' ? fetched : formatResponse({ operation, query, format }, fetched);
  const { body, etag, lastModified, link, canonical, disposition } = response;
  const headers = {
    ...(format === 'json'
      ? { 'Content-Type': operation.mediaType ?? JSON_TYPE }
      : rowHeaders(operation, params, format)),
    ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
    ...(link !== undefined && { Link: link }),
    ...(disposition !== undefined && { 'Content-Disposition': disposition }),
    ...(canonical !== undefined && { Link: `<${canonical}>; rel="canonical"` }),
  };
  const tag = strongTag(etag);
  if (!Buffer.isBuffer(body))
    return {
      body: new LargeBody({ chunks: body.chunks, length: body.length, discard: () => body.discard(), tag }),
      headers,
    };
  const isStorable = canonical === undefined;
  return { body: new EncodedBodies(body, tag ?? entityTag(body)), headers, isStorable };
}

/** Applies `time` to a composition; upstreams apply it to their own responses. */
function inTimeForm(operation: Operation, compose: Composition | undefined): Composition | undefined {
  if (compose === undefined) return undefined;
  const isoTimes = isoTimesOf(operation);
  return async (asked, upstreams) => {
    const response = await compose(asked, upstreams);
    return asked.query['time'] === 'iso'
      ? { ...response, body: Buffer.from(isoTimes(response.body.toString())) }
      : response;
  };
}

function rowHeaders(operation: Operation, params: Values, format: RowFormat): Readonly<Record<string, string>> {
  return {
    'Content-Type': rowMediaTypes[format],
    'Content-Disposition': `attachment; filename="${fileName(operation, params)}.${format}"`,
  };
}

/** The path by ID, without the common prefix. */
function fileName({ path }: Operation, params: Values): string {
  return path
    .replace(/:(\w+)/g, (_, name: string) => String(params[name]))
    .replace(/^\/\w+\/(?:title\/)?/, '')
    .replace(/[^\w.-]+/g, '-');
}

function resolveTitleId(directory: TitleDirectory, { prefersTitleId }: Operation, params: Request['params']): string {
  const game = String(params['game']);
  const titleId = prefersTitleId ? directory.resolveLink(game) : directory.resolve(game);
  if (titleId === undefined) throw notFound('game');
  return titleId;
}
