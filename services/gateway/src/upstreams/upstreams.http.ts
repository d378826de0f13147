import type { ServiceName } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { beginCall } from '@lobbystats/service-kit';
import {
  unavailable,
  type RequestExtras,
  type UpstreamFetcher,
  type LargeResponse,
  type UpstreamOperation,
  type UpstreamResponse,
  type Upstreams,
  type Values,
} from './upstreams.ts';
import type { StreamingResponse, DispatchRequest, BufferedResponse } from './fetch-response.http.ts';
import { hasMediaType, hasWellFormedBody } from './media-type.http.ts';
import type { UpstreamHooks } from './upstream-hooks.http.ts';
import { UpstreamClient, type UpstreamRequest } from './upstream-client.http.ts';
import { upstreamPath } from './upstream-path.ts';
import { upstreamError } from './upstream-error.http.ts';

export interface UndiciUpstreamsOptions {
  urls: Partial<Record<ServiceName, string>>;
  timeoutMs: number;
  maxBytes: number;
  /** Request id and trace. */
  headers: () => Record<string, string>;
  hooks?: UpstreamHooks;
  /** In bytes. Default: 1 MiB. */
  largeBytes?: number;
  /** Default: a minute. */
  streamMs?: number;
}

const LARGE_BYTES = 1024 * 1024;
const STREAM_MS = 60_000;
const NO_HOOKS: UpstreamHooks = { onOutcome: () => undefined, onCircuitChange: () => undefined };

type FetchOptions = Pick<UpstreamRequest, 'timeoutMs' | 'streamedFrom'>;

export class UndiciUpstreams implements Upstreams {
  readonly #clients = new Map<ServiceName, UpstreamClient>();
  readonly #options: UndiciUpstreamsOptions;

  constructor(options: UndiciUpstreamsOptions) {
    this.#options = options;
    const { timeoutMs, maxBytes, hooks = NO_HOOKS, streamMs = STREAM_MS } = options;
    for (const [upstream, url] of Object.entries(options.urls) as [ServiceName, string][]) {
      this.#clients.set(upstream, new UpstreamClient({ upstream, url, timeoutMs, maxBytes, streamMs, hooks }));
    }
  }

  async fetch(
    operation: UpstreamOperation,
    params: Values,
    query: Values,
    along: RequestExtras = {},
  ): Promise<UpstreamResponse> {
    return this.#fetchBuffered(this.#options.timeoutMs, operation, upstreamPath(operation, params, query), along);
  }

  async fetchOrStream(
    operation: UpstreamOperation,
    params: Values,
    query: Values,
    along: RequestExtras = {},
  ): Promise<UpstreamResponse | LargeResponse> {
    const { timeoutMs, largeBytes: streamedFrom = LARGE_BYTES } = this.#options;
    const path = upstreamPath(operation, params, query);
    const answer = await this.#send({ timeoutMs, streamedFrom }, operation, path, along);
    return 'incoming' in answer ? toLargeResponse(operation, answer) : toUpstreamResponse(operation, answer);
  }

  withSharedDeadline(): UpstreamFetcher {
    const end = performance.now() + this.#options.timeoutMs;
    return {
      fetch: async (operation, params, query, along = {}) => {
        const timeoutMs = Math.max(1, Math.ceil(end - performance.now()));
        return this.#fetchBuffered(timeoutMs, operation, upstreamPath(operation, params, query), along);
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#clients.values(), (line) => line.close()));
  }

  async #fetchBuffered(
    timeoutMs: number,
    operation: UpstreamOperation,
    path: string,
    along: RequestExtras,
  ): Promise<UpstreamResponse> {
    const answer = await this.#send({ timeoutMs }, operation, path, along);
    if ('incoming' in answer) throw new Error('a response that should be buffered is streamed');
    return toUpstreamResponse(operation, answer);
  }

  async #send(
    way: FetchOptions,
    operation: UpstreamOperation,
    path: string,
    along: RequestExtras,
  ): Promise<BufferedResponse | StreamingResponse> {
    const { upstream, id, session } = operation;
    const line = this.#clients.get(upstream);
    if (line === undefined) throw new Error(`no address for ${upstream}`);
    const request = this.#requestOf(operation, line.basePath + path, along);
    const hasSession = along.sessionKey !== undefined || session === 'required';
    const call = beginCall({ to: upstream, method: request.method, route: operation.path });
    if (call !== undefined) request.headers['traceparent'] = call.traceparent;
    try {
      const answer = await line.fetch({ ...way, request, hasSession, isSafe: session !== 'required' });
      call?.endWithStatus(answer.status);
      return answer;
    } catch (cause) {
      call?.endWithError(cause);
      if (cause instanceof AppError) throw cause;
      throw unavailable(new Error(`${upstream} did not respond to ${id}`, { cause }));
    }
  }

  #requestOf(
    { method }: UpstreamOperation,
    path: string,
    { sessionKey, body, method: asked }: RequestExtras,
  ): DispatchRequest {
    const headers = this.#options.headers();
    if (sessionKey !== undefined) headers['x-session-key'] = sessionKey;
    if (body === undefined) return { method: asked ?? method, path, headers };
    headers['content-type'] = 'application/json';
    return { method: asked ?? method, path, headers, body: Buffer.isBuffer(body) ? body : JSON.stringify(body) };
  }
}

/** @throws AppError, HttpError: see `UpstreamFetcher` */
function toUpstreamResponse(operation: UpstreamOperation, answer: BufferedResponse): UpstreamResponse {
  const { status, headers, body } = answer;
  if (status === 200 && hasWellFormedBody(answer, operation.mediaType)) {
    return { body, etag: headers.etag, lastModified: headers['last-modified'], link: singleHeader(headers['link']) };
  }
  throw upstreamError(operation, answer) ?? unusableResponse(operation, status);
}

function toLargeResponse(
  operation: UpstreamOperation,
  { status, headers, incoming, length }: StreamingResponse,
): LargeResponse {
  if (!hasMediaType(headers, operation.mediaType)) {
    incoming.destroy();
    throw unusableResponse(operation, status);
  }
  return {
    chunks: incoming,
    length,
    etag: headers.etag,
    lastModified: headers['last-modified'],
    link: singleHeader(headers['link']),
    discard: () => {
      incoming.destroy();
    },
  };
}

function unusableResponse({ upstream, id }: UpstreamOperation, status: number): Error {
  return unavailable(new Error(`${upstream} answered ${id} with ${status} and an unusable body`));
}

function singleHeader(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
