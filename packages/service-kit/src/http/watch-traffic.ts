import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { continueTrace } from '../context/traceparent.ts';
import { context, type WorkContext } from '../context/work-context.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Load } from '../load/load.ts';
import { isToldElsewhere } from '../load/told-elsewhere.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { beginRequestSpan, endRequestSpan } from '../tracing/request-span.ts';
import { pathOf, refusalOf } from './admission.ts';
import { clientAddress, type TrustedProxies } from './client-address.ts';
import { requestIdOf } from './request-id.ts';
import { notesOf } from './response-notes.ts';
import { HttpProblem, sendError } from './send-error.ts';

export interface TrafficOptions {
  /** The service whose requests they are. */
  name: string;
  logger: Logger;
  metrics: Metrics;
  /** Headers of every answer. */
  everyAnswer: Readonly<Record<string, string>>;
  /** Whose word on a caller's address is believed; without it the log doesn't say whose request it was. */
  trustedProxies?: TrustedProxies | undefined;
  /** See `HttpServiceOptions.front`. */
  front?: Front | undefined;
  /** How much is in flight beside what is answered in front. */
  load: Load;
  /** Whether a request is refused because there is too much. If so it is answered. */
  isTurnedAway: (req: IncomingMessage, res: ServerResponse, isLast: boolean) => boolean;
  /** Answers what is let in. */
  answer: (req: IncomingMessage, res: ServerResponse) => void;
}

/**
 * Answers a request within this turn, from what is at hand, or leaves it alone: then it says false and has touched nothing. What it
 * answers has none of what other requests are given (an id, the headers of every answer, a line in the log), so that it
 * costs next to nothing.
 */
export type Front = (req: IncomingMessage, res: ServerResponse) => boolean;

/** The requests of a server. */
export interface Traffic {
  /** Whether the request that is coming in on a connection has its answer, or the beginning of one. */
  isAnswered(socket: Duplex): boolean;
  /** From now on every answer is its connection's last. */
  wind(): void;
}

/** How many requests of one connection are handled at once. Only clients that pipeline have more than one. */
const PIPELINED_MAX = 32;

/**
 * Stands in front of the app: gives each request its id and trace context, refuses what no route could answer, and
 * counts and logs each when it is over. A line in the log has the path without the query.
 */
export function watchTraffic(server: Server, options: TrafficOptions): Traffic {
  const { name, everyAnswer, trustedProxies, load, front } = options;
  const inFlight = new Set<ServerResponse>();
  const ofConnection = new WeakMap<Duplex, number>();
  const answeredEarly = new WeakSet<Duplex>();
  const conclude = concluder(options);
  const headers = new Map(Object.entries(everyAnswer));
  let winding = false;

  const receive = (req: IncomingMessage, res: ServerResponse, fault: HttpProblem | undefined) => {
    const began = performance.now();
    // A caller's own word on whether it is traced is believed from trusted services only.
    const span = beginRequestSpan(name, req, trustedProxies !== undefined);
    const current = contextOf(req, span && { service: name, traceparent: span.traceparent });
    const { socket } = req;
    const count = (ofConnection.get(socket) ?? 0) + 1;
    const refusal = count > PIPELINED_MAX ? tooManyAtOnce() : fault;
    ofConnection.set(socket, count);
    inFlight.add(res);
    load.entered(res);
    answeredEarly.delete(socket);
    res.once('close', () => {
      inFlight.delete(res);
      load.left(res);
      ofConnection.set(socket, (ofConnection.get(socket) ?? 1) - 1);
      if (!req.complete) answeredEarly.add(socket);
      conclude(req, res, current, performance.now() - began);
      if (span !== undefined) endRequestSpan(span, req, res);
    });
    res.setHeaders(headers).setHeader('X-Request-Id', current.requestId);
    if (winding) res.setHeader('Connection', 'close');
    if (refusal !== undefined) sendError(res, refusal);
    else context.run(current, () => options.answer(req, res));
  };

  // Node knows the other end of a connection that is gone only if it was asked for before.
  if (trustedProxies !== undefined) server.on('connection', (socket) => socket.remoteAddress);

  server.on('request', (req, res) => {
    // A response without a socket waits for another one of its connection.
    if (!winding && res.socket !== null && front?.(req, res) === true) return;
    if (!options.isTurnedAway(req, res, winding)) receive(req, res, refusalOf(req));
  });
  server.on('checkExpectation', (req, res) => {
    receive(req, res, new HttpProblem(417, 'The expectation in Expect can not be met'));
  });
  return {
    isAnswered: (socket) =>
      answeredEarly.has(socket) || [...inFlight].some((res) => res.socket === socket && res.headersSent),
    wind: () => {
      winding = true;
      for (const res of inFlight) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
  };
}

/** @param span the request's own, where spans are recorded */
function contextOf({ headers }: IncomingMessage, span: Omit<WorkContext, 'requestId'> | undefined) {
  const requestId = requestIdOf(headers['x-request-id']);
  return { requestId, ...(span ?? { traceparent: continueTrace(headers['traceparent']) }) };
}

/** One caller's queue must not take the place of everybody's. */
function tooManyAtOnce(): HttpProblem {
  return new HttpProblem(503, 'Too many requests at once on this connection', {
    'Retry-After': '1',
    Connection: 'close',
  });
}

function concluder({ logger, metrics, trustedProxies }: TrafficOptions) {
  const durations = metrics.histogram('http_request_duration_seconds', 'Time to answer a request', [
    'operation',
    'method',
    'status',
  ]);
  return (req: IncomingMessage, res: ServerResponse, current: WorkContext, ms: number) => {
    const { operation = 'other', fault } = notesOf(res);
    const { method = '', url = '' } = req;
    const status = res.writableFinished ? res.statusCode : 'aborted';
    const statusClass = typeof status === 'number' ? `${Math.floor(status / 100)}xx` : status;
    durations.observe({ operation, method, status: statusClass }, ms / 1000);
    const level = isToldElsewhere(fault) ? 'debug' : levelOf(res.statusCode);
    if (!logger.isLevelEnabled(level)) return;
    const caller = trustedProxies === undefined ? {} : { client: clientAddress(req, trustedProxies) };
    const about = { operation, method, path: pathOf(url), status, ms: Math.round(ms * 10) / 10, ...caller };
    context.run(current, () => {
      if (level === 'debug') logger.debug('request', about);
      else logger.log(level, 'request failed', { ...about, error: fault });
    });
  };
}

/** A service behind that is down is news, a fault of our own is an error; what callers do wrong is neither. */
function levelOf(status: number): 'debug' | 'warn' | 'error' {
  if (status < 500) return 'debug';
  return status === 502 || status === 503 ? 'warn' : 'error';
}
