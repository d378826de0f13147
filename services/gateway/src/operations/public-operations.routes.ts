import { allOperations, gamePathsOf, type Operation } from '@lobbystats/contracts';
import {
  mountOperations,
  notFound,
  parseBody,
  parseParams,
  readBody,
  type RequestHandler,
} from '@lobbystats/service-kit';
import type { Express, Request } from 'express';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { UrlIndex } from '../cache/url-index.ts';
import type { Upstreams, Values } from '../upstreams/upstreams.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { createOriginFetch, toOriginResponse, contentTypeHeaders } from './create-origin-fetch.server.ts';
import { cacheRule } from '../cache/cache-key.server.ts';
import { canonicalQuery } from './canonical-query.server.ts';
import type { Composition } from './composition.ts';
import { sendResponse } from './send-response.server.ts';
import { readerSession, writerSessionKey } from './session-key.server.ts';

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
  const routes = allOperations.filter(({ audience }) => audience === 'public').flatMap(routesOf);
  mountOperations(
    app,
    routes.map((route) => {
      const { path, operation } = route;
      const isForwarded = operation.session === 'required';
      return {
        path,
        operation,
        handler: isForwarded ? createForwardingHandler(options, operation) : createCachedHandler(options, route),
      };
    }),
  );
}

interface PublicRoute {
  path: string;
  operation: Operation;
  resolveParams: (directory: TitleDirectory, params: Request['params']) => object;
}

function routesOf(operation: Operation): PublicRoute[] {
  const byId: PublicRoute = {
    path: operation.path,
    operation,
    resolveParams: (_, params) => parseParams(operation, params),
  };
  const findByGame: PublicRoute['resolveParams'] = (directory, params) =>
    parseParams(operation, { ...params, titleId: resolveTitleId(directory, params) });
  return [byId, ...gamePathsOf(operation).map((path) => ({ path, operation, resolveParams: findByGame }))];
}

function createCachedHandler(
  { upstreams, directory, cache, urlIndex, compositions }: PublicOperationsOptions,
  { operation, resolveParams }: PublicRoute,
): RequestHandler {
  const { id, upstream, session: sessionNeed } = operation;
  const compose = compositions.get(id);
  const rule = cacheRule(operation);
  const queryOf = createQueryParser(operation);
  return async (req, res) => {
    const body = operation.body === undefined ? undefined : parseBody(operation, await readBody(req));
    const params = resolveParams(directory, req.params) as Values;
    const query = queryOf(req.url);
    const session = sessionNeed === 'optional' ? readerSession(req) : undefined;
    const hasSession = session?.isPresent === true;
    const key = rule.key(params, query, body);
    const fetch = createOriginFetch({ operation, params, query, body, sessionKey: session?.key }, upstreams, compose);
    if (hasSession) {
      const response = await cache.bypass({ key, operation: id, fetch }, 'bypass');
      await sendResponse(req, res, cache, { operation, response, hasSession });
      return;
    }
    const policy = rule.policy(query);
    const isFoundByUrl = sessionNeed === 'none' && policy === 'store' && rule.hasOnlyKnownParameters(req.url);
    const learn = isFoundByUrl && operation.method === 'GET' ? urlIndex.prepareSet(req.originalUrl, key) : undefined;
    const response = await cache.getOrFetch({
      key,
      policy,
      fetch,
      operation: id,
      upstream,
      tags: operation.tags(params),
    });
    await sendResponse(req, res, cache, { operation, response, hasSession });
    learn?.();
  };
}

/** Forwards a write without validation: its upstream verifies the session first. */
function createForwardingHandler({ upstreams, cache }: PublicOperationsOptions, operation: Operation): RequestHandler {
  return async (req, res) => {
    const body = await readBody(req);
    const method = req.method === operation.alias ? operation.alias : undefined;
    const along = { method, body, sessionKey: writerSessionKey(req) };
    const params = req.params as Values;
    const fetch = async () =>
      toOriginResponse(await upstreams.fetch(operation, params, {}, along), contentTypeHeaders(operation, params));
    const response = await cache.bypass({ key: '', operation: operation.id, fetch }, 'method');
    await sendResponse(req, res, cache, { operation, response, hasSession: true });
  };
}

/** The empty query is parsed once. */
function createQueryParser(operation: Operation): (rawUrl: string) => Values {
  const none = operation.query.safeParse({}).success ? canonicalQuery(operation, '') : undefined;
  return (rawUrl) => (none === undefined || rawUrl.includes('?') ? canonicalQuery(operation, rawUrl) : none);
}

function resolveTitleId(directory: TitleDirectory, params: Request['params']): string {
  const titleId = directory.resolve(String(params['game']));
  if (titleId === undefined) throw notFound('game');
  return titleId;
}
