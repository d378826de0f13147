import { hash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { AppError, type ErrorCode } from '@lobbystats/contracts/errors';

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

/** A document that shows an error to a person. */
export interface ErrorPage {
  readonly text: string;
  /** With its media type. */
  readonly headers: Readonly<OutgoingHttpHeaders> & { 'Content-Type': string };
}

/**
 * Aborts a response that has begun, so that the client doesn't take it for complete.
 *
 * @param render a page in place of JSON
 */
export function sendError(
  res: ServerResponse,
  error: unknown,
  render?: (error: { readonly status: number; readonly message: string }) => ErrorPage,
): void {
  noteFault(res, error);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const name of SUCCESS_HEADERS) res.removeHeader(name);
  const { status, message, headers } = toHttpError(error);
  const withPolicy = { 'Cache-Control': 'no-store', ...headers };
  if (render === undefined) {
    sendJson(res, status, { error: message }, withPolicy);
    return;
  }
  const page = render({ status, message });
  const bytes = Buffer.from(page.text);
  sendText(res, status, { text: page.text, bytes }, { 'Content-Length': bytes.length, ...withPolicy, ...page.headers });
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

export const JSON_TYPE = 'application/json; charset=utf-8';

export function entityTag(bytes: Buffer): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
}

/** Keeps headers set before; a HEAD request gets no body. */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<OutgoingHttpHeaders> = {},
): void {
  const text = JSON.stringify(body);
  const bytes = Buffer.from(text);
  sendText(res, status, { text, bytes }, { 'Content-Length': bytes.length, 'Content-Type': JSON_TYPE, ...headers });
}

export function sendTagged(
  res: ServerResponse,
  text: string | Buffer,
  headers: Readonly<OutgoingHttpHeaders> & { 'Content-Type': string },
): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  sendText(res, 200, { text, bytes }, { 'Content-Length': bytes.length, ETag: entityTag(bytes), ...headers });
}

/** Up to this size, copying the body costs less than a second write after the head. */
const JOINED_BYTES_MAX = 12 * 1024;

function sendText(
  res: ServerResponse,
  status: number,
  { text, bytes }: { text: string | Buffer; bytes: Buffer },
  headers: Readonly<OutgoingHttpHeaders>,
): void {
  res.writeHead(status, headers);
  // Node joins an ASCII string with the head.
  const isAscii = typeof text === 'string' && bytes.length === text.length;
  if (isAscii && bytes.length <= JOINED_BYTES_MAX) res.end(text, 'latin1');
  else res.end(bytes);
}

/** Express's `res.locals`, with data for log and metrics. */
export interface NotedResponse extends ServerResponse {
  locals?: {
    /** The metric label: an operation's id, never text from the request. */
    operation?: string;
    fault?: unknown;
  };
}

/** Keeps the first error of a request. */
function noteFault(res: NotedResponse, fault: unknown): void {
  res.locals ??= {};
  res.locals.fault ??= fault;
}

const suppressed = new WeakSet<object>();

/** Keeps an error that is counted or logged elsewhere out of the request log. One error may fail many requests. */
export function suppressRequestLog<Fault extends Error>(fault: Fault): Fault {
  suppressed.add(fault);
  return fault;
}

export function isLogSuppressed(fault: unknown): boolean {
  return typeof fault === 'object' && fault !== null && suppressed.has(fault);
}
