import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { AppError, type ErrorCode } from '@lobbystats/errors';
import { noteFault, sendJson } from './send-json.ts';

/** An HTTP-level error such as 405, 413 or 415. Callers see its message. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly headers: Readonly<OutgoingHttpHeaders>;

  constructor(status: number, message: string, headers: Readonly<OutgoingHttpHeaders> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Aborts a response that has begun, so that the client doesn't take it for complete. */
export function sendError(res: ServerResponse, error: unknown): void {
  noteFault(res, error);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const name of SUCCESS_HEADERS) res.removeHeader(name);
  const { status, message, headers } = toHttpError(error);
  sendJson(res, status, { error: message }, { 'Cache-Control': 'no-store', ...headers });
}

export function notFound(noun: string): AppError {
  return new AppError('not-found', `Unknown ${noun}`);
}

/** Last handler of a path. @param methods the handled ones; GET includes HEAD */
export function methodNotAllowed(methods: readonly string[]): (req: IncomingMessage, res: ServerResponse) => void {
  const allowed = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))).add('OPTIONS');
  const headers = { Allow: [...allowed].join(', ') };
  return (req, res) => {
    if (req.method === 'OPTIONS') res.writeHead(204, headers).end();
    else sendError(res, new HttpError(405, 'Method not allowed', headers));
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

/** Errors of libraries by status; their own messages may quote the input. */
const LIBRARY_ERRORS: Readonly<Record<number, string>> = {
  400: 'Malformed request',
  413: 'The body is too large',
  415: 'Content-Type must be application/json',
};

const SUCCESS_HEADERS = ['Content-Encoding', 'Content-Range', 'ETag', 'Last-Modified', 'Link'];

const RETRY_AFTER_SECONDS = '5';

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof AppError) {
    const headers = error.code === 'unavailable' ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
    return new HttpError(STATUSES[error.code], error.message, headers);
  }
  const { status } = (error ?? {}) as { status?: unknown };
  const message = typeof status === 'number' ? LIBRARY_ERRORS[status] : undefined;
  if (message !== undefined) return new HttpError(status as number, message);
  return new HttpError(500, 'Internal error');
}
