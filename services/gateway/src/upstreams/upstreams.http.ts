import { encodeSegment, SERIES_POINTS_MAX, type ServiceName } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { beginCall, CLIENT_HEADER, context } from '@lobbystats/service-kit';
import type { DispatchRequest, HttpResponse } from './fetch-response.http.ts';
import { UpstreamClient, type UpstreamLimits, type UpstreamShare } from './upstream-client.http.ts';
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

export interface UndiciUpstreamsOptions extends Omit<UpstreamLimits, 'streamMs'> {
  urls: Partial<Record<ServiceName, string>>;
  hooks?: UpstreamHooks;
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

type Call = Parameters<UpstreamFetcher['fetch']>;

export class UndiciUpstreams implements Upstreams {
  readonly #clients: ReadonlyMap<string, UpstreamClient>;
  readonly #timeoutMs: number;
  readonly #largeBytes: number;

  constructor({ urls, largeBytes = LARGE_BYTES, ...options }: UndiciUpstreamsOptions) {
    this.#timeoutMs = options.timeoutMs;
    this.#largeBytes = largeBytes;
    const clientOptions = { streamMs: STREAM_MS, hooks: NO_HOOKS, ...options };
    this.#clients = new Map(
      Object.entries(urls).map(([upstream, url]) => [
        upstream,
        new UpstreamClient({ ...clientOptions, upstream, url }),
      ]),
    );
  }

  async fetch(...call: Call): Promise<UpstreamResponse> {
    return this.#fetchBuffered(this.#timeoutMs, call);
  }

  async fetchOrStream(...call: Call): Promise<UpstreamResponse<Buffer | BodyStream>> {
    return toUpstreamResponse(call[0], await this.#send(this.#timeoutMs, call, this.#largeBytes));
  }

  withSharedDeadline(): UpstreamFetcher {
    const endMs = performance.now() + this.#timeoutMs;
    return { fetch: (...call) => this.#fetchBuffered(endMs - performance.now(), call) };
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#clients.values(), (client) => client.close()));
  }

  async #fetchBuffered(timeoutMs: number, call: Call): Promise<UpstreamResponse> {
    const { body, ...head } = await this.#send(timeoutMs, call);
    if (!Buffer.isBuffer(body)) throw new Error('a response that should be buffered is streamed');
    return toUpstreamResponse(call[0], { ...head, body });
  }

  async #send(
    timeoutMs: number,
    [operation, params, query, extras = {}]: Call,
    streamedFrom?: number,
  ): Promise<HttpResponse> {
    const { upstream, id, session, path: route } = operation;
    const client = this.#clients.get(upstream);
    if (client === undefined) throw new Error(`no address for ${upstream}`);
    const request = dispatchRequest(operation, params, query, extras);
    const isTraced = context.getStore()?.service !== undefined;
    const call = isTraced ? beginCall({ to: upstream, method: request.method, route }) : undefined;
    if (call !== undefined) request.headers['traceparent'] = call.traceparent;
    try {
      const share = shareOf(operation, query, extras);
      const response = await client.fetch({ request, timeoutMs, streamedFrom, share, isSafe: session !== 'required' });
      call?.endWithStatus(response.status);
      return response;
    } catch (cause) {
      call?.endWithError(cause);
      if (cause instanceof AppError) throw cause;
      throw unavailable(new Error(`${upstream} did not respond to ${id}`, { cause }));
    }
  }
}

function shareOf({ session, points }: UpstreamOperation, query: Values, extras: RequestExtras): UpstreamShare {
  if (extras.sessionKey !== undefined || session === 'required') return 'session';
  return points !== undefined && points(query) > SERIES_POINTS_MAX ? 'large' : 'other';
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
