import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { AppError, type ErrorCode } from '@lobbystats/errors';
import { noteFault } from './response-notes.ts';
import { sendJson } from './send-json.ts';

/** A fault of HTTP itself, which no domain knows: a method, a length, a header. Its message may be shown. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  readonly headers: Readonly<OutgoingHttpHeaders>;

  constructor(status: number, message: string, headers: Readonly<OutgoingHttpHeaders> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Answers with `{error}` and nothing else. Faults that nobody foresaw are `Internal error`. What was thrown is kept for
 * the request's line in the log. An answer that has already begun is cut off, so that nobody takes it for whole.
 */
export function sendError(res: ServerResponse, error: unknown): void {
  noteFault(res, error);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const name of OF_SUCCESSES) res.removeHeader(name);
  const { status, message, headers } = problemOf(error);
  sendJson(res, status, { error: message }, { 'Cache-Control': 'no-store', ...headers });
}

/** The HTTP status of an {@link AppError}. */
export function statusOf(error: AppError): number {
  return STATUSES[error.code];
}

/** The error of a thing that doesn't exist: `Unknown title`. */
export function notFound(what: string): AppError {
  return new AppError('not-found', `Unknown ${what}`);
}

/**
 * What stands behind the handlers of a path: OPTIONS is answered with the methods that there are, any other with 405.
 *
 * @param methods those that are handled; GET brings HEAD with it
 */
export function methodNotAllowed(methods: readonly string[]): (req: IncomingMessage, res: ServerResponse) => void {
  const allowed = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))).add('OPTIONS');
  const headers = { Allow: [...allowed].join(', ') };
  return (req, res) => {
    if (req.method === 'OPTIONS') res.writeHead(204, headers).end();
    else sendError(res, new HttpProblem(405, 'Method not allowed', headers));
  };
}

const STATUSES: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'lookup-failed': 502,
  unavailable: 503,
};

/** What libraries below Express refuse (body parsing, decoding), in our words: theirs may quote the input. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Malformed request',
  413: 'The body is too large',
  415: 'Content-Type must be application/json',
};

/** Headers that speak of a body which an error takes the place of. */
const OF_SUCCESSES = ['Content-Encoding', 'Content-Range', 'ETag', 'Last-Modified', 'Link'];

const RETRY_AFTER_SECONDS = '5';

function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof AppError) {
    const headers = error.code === 'unavailable' ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
    return new HttpProblem(statusOf(error), error.message, headers);
  }
  const { status } = (error ?? {}) as { status?: unknown };
  const refusal = typeof status === 'number' ? REFUSALS[status] : undefined;
  if (refusal !== undefined) return new HttpProblem(status as number, refusal);
  return new HttpProblem(500, 'Internal error');
}
