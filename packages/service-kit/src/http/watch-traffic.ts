import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { context, type WorkContext } from '../context/work-context.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Load } from '../load/load.ts';
import { isToldElsewhere } from '../load/told-elsewhere.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { beginRequestSpan, endRequestSpan } from '../tracing/request-span.ts';
import { pathOf, refusalOf } from './admission.ts';
import { AnswersInFlight } from './answers-in-flight.ts';
import { clientAddress, type TrustedProxies } from './client-address.ts';
import { RequestContext } from './request-context.ts';
import { notesOf } from './response-notes.ts';
import { HttpProblem, sendError } from './send-error.ts';
import { StandingHeaders } from './standing-headers.ts';
import { withinTurnBudget } from './turn-budget.ts';

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
  /** What is being answered. */
  readonly inFlight: Iterable<ServerResponse>;
  /** Whether what is coming in on a connection has its answer, or the beginning of one. */
  isAnswered(socket: Duplex): boolean;
  /** From now on every answer is its connection's last. */
  wind(): void;
}

/** How many requests of one connection are in hand at once. Only who pipelines has more than one. */
const PIPELINED_MAX = 32;

/**
 * Stands in front of the app: gives each request its id and trace context, refuses what no route could answer, and
 * counts and logs each when it is over. A line in the log has the path without the query.
 */
export function watchTraffic(server: Server, options: TrafficOptions): Traffic {
  const inFlight = new AnswersInFlight();
  const inHand = new WeakMap<Duplex, number>();
  const answeredEarly = new WeakSet<Duplex>();
  const conclude = concluder(options);
  const standing = new StandingHeaders(options.everyAnswer);
  let winding = false;

  const receive = (req: IncomingMessage, res: ServerResponse, fault: HttpProblem | undefined) => {
    const began = performance.now();
    // Only where strangers ask is it a question whose word on an address is believed.
    const span = beginRequestSpan(options.name, req, options.trustedProxies !== undefined);
    const current = new RequestContext(req, span && { service: options.name, traceparent: span.traceparent });
    const { socket } = req;
    const ofConnection = (inHand.get(socket) ?? 0) + 1;
    const refusal = ofConnection > PIPELINED_MAX ? tooManyAtOnce() : fault;
    inHand.set(socket, ofConnection);
    const leave = inFlight.enter(res);
    options.load.entered(res);
    answeredEarly.delete(socket);
    res.once('close', () => {
      leave();
      options.load.left(res);
      inHand.set(socket, (inHand.get(socket) ?? 1) - 1);
      if (!req.complete) answeredEarly.add(socket);
      conclude(req, res, current, performance.now() - began);
      if (span !== undefined) endRequestSpan(span, req, res);
    });
    standing.giveTo(res, current.requestId);
    if (winding) res.setHeader('Connection', 'close');
    if (refusal !== undefined) sendError(res, refusal);
    else withinTurnBudget(() => context.run(current, () => options.answer(req, res)));
  };

  // Node knows the other end of a connection that is gone only if it was asked for before.
  if (options.trustedProxies !== undefined) server.on('connection', (socket) => socket.remoteAddress);
  const isAnsweredInFront = (req: IncomingMessage, res: ServerResponse): boolean => {
    // A response without a socket waits for another one of its connection.
    if (winding || res.socket === null || options.front?.(req, res) !== true) return false;
    // Front's own end of it may wait for the turn's end.
    inFlight.enterEnding(res);
    return true;
  };

  server.on('request', (req, res) => {
    if (isAnsweredInFront(req, res) || options.isTurnedAway(req, res, winding)) return;
    receive(req, res, refusalOf(req));
  });
  server.on('checkExpectation', (req, res) => {
    receive(req, res, new HttpProblem(417, 'The expectation in Expect can not be met'));
  });
  return {
    inFlight,
    isAnswered: (socket) =>
      answeredEarly.has(socket) || [...inFlight].some((res) => res.socket === socket && res.headersSent),
    wind: () => {
      winding = true;
      for (const res of inFlight) if (!res.headersSent) res.setHeader('Connection', 'close');
    },
  };
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
