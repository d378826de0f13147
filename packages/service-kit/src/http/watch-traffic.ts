import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { continueTrace } from '../context/traceparent.ts';
import { context, type WorkContext } from '../context/work-context.ts';
import type { Logger } from '../logs/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { pathOf, refusalOf } from './admission.ts';
import { notesOf } from './response-notes.ts';
import { HttpProblem, sendError } from './send-error.ts';

export interface TrafficOptions {
  logger: Logger;
  metrics: Metrics;
  /** Headers of every answer. */
  everyAnswer: Readonly<Record<string, string>>;
  /** Answers what is let in. */
  answer: (req: IncomingMessage, res: ServerResponse) => void;
}

/** The requests of a server. */
export interface Traffic {
  /** What is being answered. */
  readonly inFlight: ReadonlySet<ServerResponse>;
  /** Whether what is coming in on a connection has its answer, or the beginning of one. */
  isAnswered(socket: Duplex): boolean;
  /** From now on every answer is its connection's last. */
  wind(): void;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Stands in front of the app: gives each request its id and trace context, refuses what no route could answer, and
 * counts and logs each when it is over. A line in the log has the path without the query.
 */
export function watchTraffic(server: Server, options: TrafficOptions): Traffic {
  const inFlight = new Set<ServerResponse>();
  const answeredEarly = new WeakSet<Duplex>();
  const conclude = concluder(options);
  let winding = false;

  const receive = (req: IncomingMessage, res: ServerResponse, refusal: HttpProblem | undefined) => {
    const began = performance.now();
    const current = contextOf(req);
    inFlight.add(res);
    answeredEarly.delete(req.socket);
    res.once('close', () => {
      inFlight.delete(res);
      if (!req.complete) answeredEarly.add(req.socket);
      context.run(current, () => conclude(req, res, performance.now() - began));
    });
    res.setHeader('X-Request-Id', current.requestId);
    for (const name in options.everyAnswer) res.setHeader(name, options.everyAnswer[name] ?? '');
    if (winding) res.setHeader('Connection', 'close');
    if (refusal !== undefined) sendError(res, refusal);
    else context.run(current, () => options.answer(req, res));
  };

  server.on('request', (req, res) => receive(req, res, refusalOf(req)));
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

function contextOf(req: IncomingMessage): WorkContext & { requestId: string } {
  const given = req.headers['x-request-id'];
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  return { requestId, traceparent: continueTrace(req.headers['traceparent']) };
}

function concluder({ logger, metrics }: TrafficOptions) {
  const durations = metrics.histogram('http_request_duration_seconds', 'Time to answer a request', [
    'operation',
    'method',
    'status',
  ]);
  return (req: IncomingMessage, res: ServerResponse, ms: number) => {
    const { operation = 'other', fault } = notesOf(res);
    const { method = '', url = '' } = req;
    const status = res.writableFinished ? res.statusCode : 'aborted';
    const statusClass = typeof status === 'number' ? `${Math.floor(status / 100)}xx` : status;
    durations.observe({ operation, method, status: statusClass }, ms / 1000);
    const level = levelOf(res.statusCode);
    if (!logger.isLevelEnabled(level)) return;
    const about = { operation, method, path: pathOf(url), status, ms: Math.round(ms * 10) / 10 };
    if (level === 'debug') logger.debug('request', about);
    else logger.log(level, 'request failed', { ...about, error: fault });
  };
}

/** A service behind that is down is news, a fault of our own is an error; what callers do wrong is neither. */
function levelOf(status: number): 'debug' | 'warn' | 'error' {
  if (status < 500) return 'debug';
  return status === 502 || status === 503 ? 'warn' : 'error';
}
