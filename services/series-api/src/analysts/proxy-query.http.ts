import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@lobbystats/contracts/errors';
import { HttpError, setOperationLabel, methodNotAllowed, readBytes } from '@lobbystats/service-kit';
import { QueryRejectedError, type QueryScheduler } from './query-scheduler.ts';
import type { CountQuery } from './query-counts.node.ts';
import { forwardQuery } from './influx-upstream.http.ts';

export interface ProxyQueryOptions {
  influxUrl: string;
  scheduler: QueryScheduler;
  waitMs: number;
  timeoutMs: number;
  count: CountQuery;
}

/** InfluxDB's query endpoints; nothing else passes. */
const QUERY_PATHS = /^\/(?:api\/v2\/)?query$/;
const HOP_BY_HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding'];
const TIMEOUT_MARGIN_MS = 5000;
const METHODS = ['GET', 'POST'];
const rejectMethod = methodNotAllowed(METHODS);

export function proxyQueries(parts: ProxyQueryOptions) {
  return async (req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void> => {
    const { method = '', url = '' } = req;
    const [path = ''] = url.split('?', 1);
    if (!QUERY_PATHS.test(path)) {
      next();
      return;
    }
    setOperationLabel(res, 'query');
    if (METHODS.includes(method)) await proxyQuery(req, res, parts);
    else rejectMethod(req, res);
  };
}

async function proxyQuery(req: IncomingMessage, res: ServerResponse, parts: ProxyQueryOptions): Promise<void> {
  const { method = '', url = '', headers } = req;
  const { scheduler, influxUrl, waitMs, timeoutMs, count } = parts;
  // The connection is silent until the query is answered.
  res.setTimeout(waitMs + timeoutMs + TIMEOUT_MARGIN_MS);
  const disconnect = new AbortController();
  res.once('close', () => disconnect.abort());
  const body = await readBytes(req);
  const queuedAt = performance.now();
  const release = await scheduler.acquire(clientIdOf(headers), disconnect.signal).catch((error: unknown) => {
    if (!(error instanceof QueryRejectedError)) return undefined;
    count('rejected');
    throw new HttpError(429, error.message, { 'Retry-After': String(error.retryAfterSeconds) });
  });
  if (release === undefined) return;
  const waitedMs = Math.round(performance.now() - queuedAt);
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const query = { method, url, headers, body };
    const response = await forwardQuery(influxUrl, query, AbortSignal.any([disconnect.signal, deadline]));
    res.writeHead(response.status, { ...forwardedHeaders(response.headers), 'Server-Timing': `queue;dur=${waitedMs}` });
    await pipeline(response.data, res);
    count('answered', release());
  } catch (error) {
    count(disconnect.signal.aborted ? 'disconnected' : 'failed', release());
    if (disconnect.signal.aborted) return;
    throw deadline.aborted ? new HttpError(504, 'The query takes too long') : unavailable(error);
  }
}

/** A client id from the Authorization header; the token isn't stored. */
function clientIdOf({ authorization = '' }: IncomingHttpHeaders): string {
  return createHash('sha256').update(authorization).digest('base64');
}

/** Drops hop-by-hop headers. */
function forwardedHeaders(headers: object): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name)));
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'InfluxDB is unavailable', { cause });
}
