import { withTimeout } from '../concurrency/index.ts';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import { isoTimesOf, type Reply } from '@lobbystats/contracts';
import { Secret } from '../config/setting.ts';
import type { Health } from '../health/create-health.ts';
import { authenticateBody, authenticateHeader, optionalCaller } from './authenticate.ts';
import { parseBody, parseFields, readBody, withoutSessionKey } from './request-body.ts';
import { parseParams, parseQuery, readQuery } from './request-input.ts';
import type { AnyOperation, Input, Route, Sessions } from './route.ts';
import { JSON_TYPE, methodNotAllowed, sendJson, sendTagged, type NotedResponse } from './send-response.ts';

interface MountOptions {
  validateResponses: boolean;
  sessions: Sessions | undefined;
}

export function mountRoutes(app: Express, routes: readonly Route[], options: MountOptions): void {
  mountOperations(
    app,
    routes.map((route) => ({
      path: route.operation.path,
      operation: route.operation,
      handler: requestHandler(route, options),
    })),
  );
}

function requestHandler(route: Route, { validateResponses, sessions }: MountOptions): RequestHandler {
  const { operation, handler, timeoutMs } = route;
  const withinTime = timeoutMs === undefined ? undefined : withTimeout(timeoutMs);
  const readInput = inputReader(operation, sessions);
  const isoTimes = isoTimesOf(operation);
  return async (req, res) => {
    const input = await readInput(req);
    const reply = await (withinTime === undefined ? handler(input) : withinTime(handler, input));
    const { body, json } = reply;
    if (validateResponses) assertMatchesSchema(operation, reply);
    const { mediaType } = operation;
    const { lastModified, fileName, next } = reply;
    const headers = {
      'Content-Type': mediaType ?? JSON_TYPE,
      ...(lastModified !== undefined && { 'Last-Modified': new Date(lastModified * 1000).toUTCString() }),
      ...(fileName !== undefined && { 'Content-Disposition': `attachment; filename="${fileName}"` }),
      ...(next !== undefined && { Link: `<${nextReference(operation, req.originalUrl, next)}>; rel="next"` }),
    };
    const text = mediaType === undefined ? (json ?? JSON.stringify(body)) : String(body);
    const isIso = input.query['time'] === 'iso';
    sendTagged(res, isIso ? isoTimes(text.toString()) : text, headers);
  };
}

type InputReader = (req: Request) => Promise<Input<AnyOperation>>;

/** Validates in the order of the contract: a request with several faults gets the first one. */
function inputReader(operation: AnyOperation, sessions: Sessions | undefined): InputReader {
  if (operation.session !== 'none' && sessions === undefined) {
    throw new Error(`${operation.id} uses a session, but the service has no sessions`);
  }
  if (operation.session === 'required' && sessions !== undefined) return authenticatedReader(operation, sessions);
  return async (req) => {
    const body = operation.body === undefined ? undefined : parseBody(operation, await readBody(req));
    const params = parseParams(operation, req.params);
    const query = parseQuery(operation, req.originalUrl);
    const usesSession = operation.session === 'optional' && sessions !== undefined;
    const caller = usesSession ? await optionalCaller(sessions, req) : undefined;
    return { params, query, body, caller, sessionKey: undefined };
  };
}

/** Authenticates before anything else is validated. */
function authenticatedReader(operation: AnyOperation, sessions: Sessions): InputReader {
  const authenticate = operation.body === undefined ? authenticateHeader : authenticateBody;
  return async (req) => {
    const { caller, sessionKey, json } = await authenticate(req, sessions);
    const params = parseParams(operation, req.params);
    const query = parseQuery(operation, req.originalUrl);
    const body = parseFields(operation, withoutSessionKey(json), sessionKey);
    return {
      ...{ params, query, body, caller },
      // Few operations need it.
      get sessionKey() {
        return new Secret(sessionKey);
      },
    };
  };
}

function nextReference(
  operation: AnyOperation,
  rawUrl: string,
  replaced: NonNullable<Reply<AnyOperation>['next']>,
): string {
  const pairs = Object.entries({ ...readQuery(operation.query.shape, rawUrl), ...replaced })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `?${pairs.join('&')}`;
}

function assertMatchesSchema(operation: AnyOperation, { body, json }: Reply<AnyOperation>): void {
  if (json !== undefined && json.toString() !== JSON.stringify(body))
    throw new Error(`${operation.id} has JSON that differs from its body`);
  const { error } = operation.response.safeParse(body);
  if (error !== undefined)
    throw new Error(`${operation.id} has a response that violates its schema:\n${z.prettifyError(error)}`);
}

/** Handles a request; errors become error responses. */
export type RequestHandler = (req: Request, res: Response) => void | Promise<void>;

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;
type Method = keyof typeof METHODS;

interface MountedOperation {
  readonly path: string;
  readonly operation: { readonly id: string; readonly method: Method; readonly alias?: Method };
  readonly handler: RequestHandler;
}

/** Mounts a GET route. @param label metric label: an operation's id or another constant */
export function mountPath(app: Express, path: string, label: string, handler: RequestHandler): void {
  mountOperations(app, [{ path, operation: { id: label, method: 'GET' }, handler }]);
}

/** Mounts operations by method and alias. Several operations may share a path. */
export function mountOperations(app: Express, operations: readonly MountedOperation[]): void {
  for (const [path, group] of Map.groupBy(operations, (mounted) => mounted.path)) {
    const route = app.route(path);
    const methods = new Set<Method>();
    for (const { operation, handler } of group) {
      const { id, method, alias = method } = operation;
      for (const verb of new Set([method, alias])) {
        methods.add(verb);
        route[METHODS[verb]]((req, res) => {
          setOperationLabel(res, id);
          return handler(req, res);
        });
      }
    }
    route.all(methodNotAllowed([...methods]));
  }
}

/** Sets the metric label: an operation's id, never text from the request. */
function setOperationLabel(res: NotedResponse, operationId: string): void {
  res.locals ??= {};
  res.locals.operation = operationId;
}

const NO_STORE = { 'Cache-Control': 'no-store' };
const ALIVE = '/healthz';
const READY = '/readyz';

export function isHealthPath(url: string | undefined): boolean {
  return url === ALIVE || url === READY;
}

export function mountHealth(app: Express, health: Health): void {
  mountPath(app, ALIVE, 'healthz', (_req, res) => {
    sendJson(res, 200, { status: 'alive', service: health.service }, NO_STORE);
  });
  mountPath(app, READY, 'readyz', async (_req, res) => {
    const report = await health.report();
    sendJson(res, report.status === 'ready' ? 200 : 503, report, NO_STORE);
  });
}

/** Adds a timeout (AppError `unavailable`): HTTP callers must not wait as long for a hanging store as consumers do. */
export function routeTimeout(route: Route, timeoutMs: number): Route {
  return { ...route, timeoutMs };
}
