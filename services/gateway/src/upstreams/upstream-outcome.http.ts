import { AppError, type ErrorCode } from '@lobbystats/contracts/errors';
import { HttpError, type Logger, type Metrics } from '@lobbystats/service-kit';
import type { HttpResponse } from './fetch-response.http.ts';
import { unavailable, type UpstreamOperation, type UpstreamResponse } from './upstreams.ts';

/**
 * `answered`: any status. `failed`: no response. `retried`: the connection broke. `timeout`: out of time through no fault of
 * the upstream. `rejected` and `circuit_open`: not sent, by the concurrency limit or the circuit breaker. `dropped`: a streaming
 * response aborted in favour of another reader. `too_large`: a response above the limit.
 */
export type RequestOutcome =
  'answered' | 'failed' | 'retried' | 'timeout' | 'rejected' | 'circuit_open' | 'dropped' | 'too_large';

export interface UpstreamHooks {
  onOutcome(upstream: string, outcome: RequestOutcome): void;
  onCircuitChange(upstream: string, isOpen: boolean): void;
}

export function upstreamHooks(logger: Logger, metrics: Metrics): UpstreamHooks {
  const requests = metrics.counter('upstream_requests_total', 'Requests to upstreams, by outcome', [
    'upstream',
    'outcome',
  ]);
  const open = metrics.gauge('upstream_circuit_open', 'Whether the circuit of an upstream is open', ['upstream']);
  return {
    onOutcome: (upstream, outcome) => requests.inc({ upstream, outcome }),
    onCircuitChange: (upstream, isOpen) => {
      open.set({ upstream }, isOpen ? 1 : 0);
      if (isOpen)
        logger.warn('circuit opened: the upstream does not respond, one request a second probes it', { upstream });
      else logger.info('circuit closed: the upstream responds again', { upstream });
    },
  };
}

/** @throws AppError, HttpError: see `UpstreamFetcher` */
export function toUpstreamResponse<Body extends HttpResponse['body']>(
  operation: UpstreamOperation,
  { status, headers, body }: HttpResponse<Body>,
): UpstreamResponse<Body> {
  const { upstream, id, mediaType } = operation;
  const label = headers['content-type'] ?? '';
  const hasMediaType = mediaType === undefined ? /^application\/json\b/i.test(label) : label === mediaType;
  const isWellFormed = hasMediaType && (mediaType !== undefined || !Buffer.isBuffer(body) || hasJsonBrackets(body));
  if (status === 200 && isWellFormed) {
    return {
      body,
      etag: headers.etag,
      lastModified: headers['last-modified'],
      link: singleHeader(headers['link']),
      disposition: singleHeader(headers['content-disposition']),
    };
  }
  const fault = Buffer.isBuffer(body) ? callerFault(operation, status, body) : undefined;
  if (!Buffer.isBuffer(body)) body.discard();
  throw fault ?? unavailable(new Error(`${upstream} answered ${id} with ${status} and an unusable body`));
}

/** Checks only the outer brackets, since parsing costs more than all other work on a response. */
function hasJsonBrackets(body: Buffer): boolean {
  const [first, last] = [body.at(0), body.at(-1)];
  return (first === 0x7b && last === 0x7d) || (first === 0x5b && last === 0x5d);
}

function singleHeader(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

/** Statuses whose message is passed to the caller. */
const FORWARDED_CODES: Readonly<Record<number, ErrorCode>> = { 400: 'invalid', 404: 'not-found' };

const SESSION_CODES: Readonly<Record<number, ErrorCode | 'http'>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'http',
  415: 'http',
  502: 'lookup-failed',
};

/** Maps an upstream's 4xx to the caller, with its message; undefined for statuses that are not the caller's fault. */
function callerFault({ session }: UpstreamOperation, status: number, body: Buffer): Error | undefined {
  const code = FORWARDED_CODES[status] ?? (session === 'required' ? SESSION_CODES[status] : undefined);
  const message = code === undefined ? undefined : errorMessage(body);
  if (code === undefined || message === undefined) return undefined;
  return code === 'http' ? new HttpError(status, message) : new AppError(code, message);
}

function errorMessage(body: Buffer): string | undefined {
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
