import { encodeSegment, SERIES_POINTS_MAX, type ServiceName } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { beginCall, CLIENT_HEADER, context } from '@lobbystats/service-kit';
import type { DispatchRequest, HttpResponse } from './fetch-response.http.ts';
import { UpstreamClient, type UpstreamRequest } from './upstream-client.http.ts';
import { toUpstreamResponse, type UpstreamHooks } from './upstream-outcome.http.ts';
import {
  unavailable,
  type BodyStream,
  type RequestExtras,
  type UpstreamFetcher,
  type UpstreamOperation,
  type UpstreamResponse,
  type Upstreams,
  type Values,
} from './upstreams.ts';

export interface UndiciUpstreamsOptions {
  urls: Partial<Record<ServiceName, string>>;
  timeoutMs: number;
  maxBytes: number;
  hooks?: Partial<UpstreamHooks>;
  /** In bytes. Default: 1 MiB. */
  largeBytes?: number;
  /** Default: a minute. */
  streamMs?: number;
}

const LARGE_BYTES = 1024 * 1024;
const STREAM_MS = 60_000;
const NO_HOOKS: UpstreamHooks = {
  onOutcome: () => undefined,
  onCircuitChange: () => undefined,
};

type FetchOptions = Pick<UpstreamRequest, 'timeoutMs' | 'streamedFrom'>;

export class UndiciUpstreams implements Upstreams {
  readonly #clients = new Map<ServiceName, UpstreamClient>();
  readonly #options: UndiciUpstreamsOptions;

  constructor(options: UndiciUpstreamsOptions) {
    this.#options = options;
    const { timeoutMs, maxBytes, streamMs = STREAM_MS } = options;
    const hooks = { ...NO_HOOKS, ...options.hooks };
    const clientOptions = { timeoutMs, maxBytes, streamMs, hooks };
    for (const [upstream, url] of Object.entries(options.urls) as [ServiceName, string][]) {
      this.#clients.set(upstream, new UpstreamClient({ ...clientOptions, upstream, url }));
    }
  }

  async fetch(
    operation: UpstreamOperation,
    params: Values,
    query: Values,
    extras: RequestExtras = {},
  ): Promise<UpstreamResponse> {
    return this.#fetchBuffered(this.#options.timeoutMs, operation, params, query, extras);
  }

  async fetchOrStream(
    operation: UpstreamOperation,
    params: Values,
    query: Values,
    extras: RequestExtras = {},
  ): Promise<UpstreamResponse<Buffer | BodyStream>> {
    const { timeoutMs, largeBytes: streamedFrom = LARGE_BYTES } = this.#options;
    const response = await this.#send({ timeoutMs, streamedFrom }, operation, params, query, extras);
    return toUpstreamResponse(operation, response);
  }

  withSharedDeadline(): UpstreamFetcher {
    const end = performance.now() + this.#options.timeoutMs;
    return {
      fetch: async (operation, params, query, extras = {}) => {
        const timeoutMs = Math.max(1, Math.ceil(end - performance.now()));
        return this.#fetchBuffered(timeoutMs, operation, params, query, extras);
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#clients.values(), (client) => client.close()));
  }

  async #fetchBuffered(
    timeoutMs: number,
    operation: UpstreamOperation,
    params: Values,
    query: Values,
    extras: RequestExtras,
  ): Promise<UpstreamResponse> {
    const { body, ...head } = await this.#send({ timeoutMs }, operation, params, query, extras);
    if (!Buffer.isBuffer(body)) throw new Error('a response that should be buffered is streamed');
    return toUpstreamResponse(operation, { ...head, body });
  }

  async #send(
    way: FetchOptions,
    operation: UpstreamOperation,
    params: Values,
    query: Values,
    extras: RequestExtras,
  ): Promise<HttpResponse> {
    const { upstream, id, session, points } = operation;
    const client = this.#clients.get(upstream);
    if (client === undefined) throw new Error(`no address for ${upstream}`);
    const request = dispatchRequest(operation, params, query, extras);
    const hasSession = extras.sessionKey !== undefined || session === 'required';
    const isTraced = context.getStore()?.service !== undefined;
    const call = isTraced ? beginCall({ to: upstream, method: request.method, route: operation.path }) : undefined;
    if (call !== undefined) request.headers['traceparent'] = call.traceparent;
    try {
      const isLarge = points !== undefined && points(query) > SERIES_POINTS_MAX;
      const response = await client.fetch({ ...way, request, hasSession, isSafe: session !== 'required', isLarge });
      call?.endWithStatus(response.status);
      return response;
    } catch (cause) {
      call?.endWithError(cause);
      if (cause instanceof AppError) throw cause;
      throw unavailable(new Error(`${upstream} did not respond to ${id}`, { cause }));
    }
  }
}

function dispatchRequest(
  operation: UpstreamOperation,
  params: Values,
  query: Values,
  { sessionKey, body, method: asked }: RequestExtras,
): DispatchRequest {
  const { method, session } = operation;
  const path = upstreamPath(operation, params, query);
  const work = context.getStore();
  const { requestId, traceparent } = work ?? {};
  const client = session === 'none' ? undefined : work?.client;
  const headers: Record<string, string> = {
    ...(traceparent !== undefined && { traceparent }),
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    ...(client !== undefined && { [CLIENT_HEADER]: client.replace('/64', '') }),
    ...(sessionKey !== undefined && { 'x-session-key': sessionKey }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const request = { method: asked ?? method, path, headers };
  if (body === undefined) return request;
  return { ...request, body: Buffer.isBuffer(body) ? body : JSON.stringify(body) };
}

const PLAIN = /^[\w.-]*$/;

function upstreamPath({ path }: UpstreamOperation, params: Values, query: Values): string {
  let search = '';
  for (const name in query) {
    const value = query[name];
    if (value !== undefined) search += `${search === '' ? '?' : '&'}${name}=${encodeQueryValue(String(value))}`;
  }
  const filled = path.includes(':')
    ? path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(String(params[name])))
    : path;
  return filled + search;
}

/** Applies form encoding. Most values need none, and the check is cheaper. */
function encodeQueryValue(value: string): string {
  return PLAIN.test(value) ? value : new URLSearchParams({ value }).toString().slice('value='.length);
}
