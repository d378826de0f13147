import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express, Request, RequestHandler, Response } from 'express';
import { context, continueTrace, currentTracing, requestIdOf, type WorkContext } from '../context/work-context.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { beginRequestSpan, endRequestSpan } from '../tracing/spans.ts';
import { CLIENT_HEADER, clientAddress, clientNetwork, type TrustedProxies } from './client-address.ts';
import type { ErrorPages } from './create-server.ts';
import { pathOf, validateRequest } from './request-input.ts';
import { HttpError, isLogSuppressed, sendError, type NotedResponse } from './send-response.ts';

interface TrackingOptions {
  name: string;
  logger: Logger;
  metrics: Metrics;
  defaultHeaders: Readonly<Record<string, string>>;
  trustedProxies?: TrustedProxies | undefined;
  fastPath?: FastPath | undefined;
  errorPages?: ErrorPages | undefined;
  /** Load shedding: false when it has rejected the request. */
  admit: (req: IncomingMessage, res: ServerResponse, load: number, isLast: boolean) => boolean;
  app: Express;
}

/** Fast path, without id, headers, span and log: responds synchronously, or returns false without side effects. */
export type FastPath = (req: IncomingMessage, res: ServerResponse) => boolean;

export interface RequestTracker {
  /** The open ones. */
  connections(): Iterable<Socket>;
  hasResponse(socket: Duplex): boolean;
  beginDrain(): void;
}

const PIPELINED_MAX = 32;

const LOAD = Symbol('load');

interface CountedResponse extends ServerResponse {
  [LOAD]?: Set<ServerResponse>;
}

/** Excludes a long-lived, nearly idle response such as an event stream from the load. */
export function excludeFromLoad(res: CountedResponse): void {
  res[LOAD]?.delete(res);
}

/** Runs before the app: request id, trace context, load shedding, validation, metrics and log. */
export function trackRequests(server: Server, options: TrackingOptions): RequestTracker {
  const { admit, app, defaultHeaders, trustedProxies, fastPath, errorPages } = options;
  const inFlight = new Set<ServerResponse>();
  /** Those in flight that count for load shedding. */
  const load = new Set<ServerResponse>();
  /** Requests in flight of each open connection. */
  const connections = new Map<Socket, number>();
  const respondedEarly = new WeakSet<Duplex>();
  const record = requestRecorder(options);
  const headers = new Map(Object.entries(defaultHeaders));
  let isDraining = false;

  const receive = (req: IncomingMessage, res: CountedResponse, fault: HttpError | undefined) => {
    const began = performance.now();
    const { span, current } = beginWork(req, options);
    const { socket } = req;
    const count = (connections.get(socket) ?? 0) + 1;
    const problem = count > PIPELINED_MAX ? tooManyRequests() : fault;
    if (connections.has(socket)) connections.set(socket, count);
    inFlight.add(res);
    load.add(res);
    res[LOAD] = load;
    respondedEarly.delete(socket);
    res.once('close', () => {
      inFlight.delete(res);
      load.delete(res);
      if (connections.has(socket)) connections.set(socket, (connections.get(socket) ?? 1) - 1);
      if (!req.complete) respondedEarly.add(socket);
      record(req, res, current, performance.now() - began);
      if (span !== undefined) endRequestSpan(span, req, res);
    });
    res.setHeaders(headers).setHeader('X-Request-Id', current.requestId);
    if (isDraining) res.setHeader('Connection', 'close');
    if (problem !== undefined) sendError(res, problem, errorPages?.(req as Request));
    // Express calls the last one when it can't parse the URL.
    else
      context.run(current, app as RequestHandler, req as Request, res as Response, (error?: unknown) => {
        sendError(res, error ?? new HttpError(404, 'Unknown route'));
      });
  };

  server.on('connection', (socket) => {
    connections.set(socket, 0);
    socket.once('close', () => connections.delete(socket));
  });
  // Node caches the address: after a disconnect it is only known if it was read before.
  if (trustedProxies !== undefined) server.on('connection', (socket) => socket.remoteAddress);
  server.on('request', (req, res) => {
    // A pipelined response has no socket until the one before it ends.
    if (!isDraining && res.socket !== null && fastPath?.(req, res) === true) return;
    if (req.headers['transfer-encoding'] !== undefined) endAfterResponse(req, res);
    if (admit(req, res, load.size, isDraining)) receive(req, res, validateRequest(req));
  });
  server.on('checkExpectation', (req, res) => {
    receive(req, res, new HttpError(417, 'The expectation in Expect can not be met'));
  });
  return {
    connections: () => connections.keys(),
    hasResponse: (socket) =>
      respondedEarly.has(socket) || [...inFlight].some((res) => res.socket === socket && res.headersSent),
    beginDrain: () => {
      isDraining = true;
      for (const res of inFlight) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
  };
}

/** Does not await the rest of a body without a length: to discard it costs as much as the client likes to send. */
function endAfterResponse(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (!req.complete) req.socket.destroySoon();
  });
}

/** The context of a request and its span. Only public services set trustedProxies: they ignore the caller's sampling flag. */
function beginWork(req: IncomingMessage, { name, trustedProxies }: TrackingOptions) {
  const { headers } = req;
  const tracing = currentTracing();
  const span = tracing && beginRequestSpan(tracing, name, req, trustedProxies !== undefined);
  const current: WorkContext & { readonly requestId: string } = {
    requestId: requestIdOf(headers['x-request-id']),
    traceparent: span?.traceparent ?? continueTrace(headers['traceparent']),
    service: span && name,
    // Computed when a session is verified: few requests have one.
    get client() {
      return clientNetwork(trustedProxies === undefined ? headers[CLIENT_HEADER] : clientAddress(req, trustedProxies));
    },
  };
  return { span, current };
}

/** One pipelining client must not use up the limit of requests in flight. */
function tooManyRequests(): HttpError {
  return new HttpError(503, 'Too many requests at once on this connection', {
    'Retry-After': '1',
    Connection: 'close',
  });
}

function requestRecorder({ logger, metrics, trustedProxies }: TrackingOptions) {
  const durations = metrics.histogram('http_request_duration_seconds', 'Time to answer a request', [
    'operation',
    'method',
    'status',
  ]);
  return (req: IncomingMessage, res: NotedResponse, current: WorkContext, ms: number) => {
    const { operation = 'other', fault } = res.locals ?? {};
    const { method = '', url = '' } = req;
    const status = res.writableFinished ? res.statusCode : 'aborted';
    const statusClass = typeof status === 'number' ? `${Math.floor(status / 100)}xx` : status;
    durations.observe({ operation, method, status: statusClass }, ms / 1000);
    const level = res.statusCode < 500 || isLogSuppressed(fault) ? 'debug' : faultLevel(res.statusCode);
    if (!logger.isLevelEnabled(level)) return;
    const caller = trustedProxies === undefined ? {} : { client: clientAddress(req, trustedProxies) };
    const details = { operation, method, path: pathOf(url), status, ms: Math.round(ms * 10) / 10, ...caller };
    context.run(current, () => {
      if (level === 'debug') logger.debug('request', details);
      else logger.log(level, 'request failed', { ...details, error: fault });
    });
  };
}

/** 502 and 503 mean that an upstream is down; other 5xx are our own faults. */
function faultLevel(status: number): 'warn' | 'error' {
  return status === 502 || status === 503 ? 'warn' : 'error';
}
