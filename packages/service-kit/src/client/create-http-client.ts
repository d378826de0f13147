import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import axios, {
  AxiosError,
  isAxiosError,
  type AxiosInstance,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import { context } from '../context/work-context.ts';
import { BodyBytes } from '../http/body-bytes.ts';
import { beginCall, type Call, type CallSpan } from '../tracing/spans.ts';
import { checkHost, publicDomainLookup, publicLookup, type LookUp } from './public-address.ts';

export interface HttpClientOptions {
  /** From the call to the last byte of the response. */
  timeoutMs: number;
  /** Limit of the decompressed response and of the request body; -1: none. */
  maxBytes: number;
  userAgent?: string;
  maxSockets?: number;
  /**
   * After a 408, 429 or 5xx with `Retry-After`, requests fail without being sent until that time, at most this long. Default: 0,
   * requests are sent.
   */
  quietMaxMs?: number;
  /**
   * Requests change nothing and have no rate to keep: one on a kept connection that the server closes just then is sent again on
   * another. Default: false, it fails.
   */
  mayRepeat?: boolean;
  /** For URLs of users: connects only to hosts whose addresses are all public, as checked for each connection. */
  onlyPublic?: boolean;
  /** For URLs of operators, who may name a private address or a name of their own network: a domain has public addresses alone. */
  onlyPublicDomains?: boolean;
  /** Default: that of Node. */
  lookUp?: LookUp;
}

/** Never rejects because of a status. Calls carry the trace and request ID of the running work. */
export function createHttpClient({
  timeoutMs,
  maxBytes,
  userAgent,
  maxSockets = 50,
  quietMaxMs = 0,
  mayRepeat = false,
  onlyPublic = false,
  onlyPublicDomains = false,
  lookUp = lookup,
}: HttpClientOptions): AxiosInstance {
  const sockets = {
    keepAlive: true,
    maxSockets,
    ...(onlyPublic && { lookup: publicLookup(lookUp) }),
    ...(onlyPublicDomains && { lookup: publicDomainLookup(lookUp) }),
  };
  const send = bounded(mayRepeat ? repeated : requestOnce);
  const client = axios.create({
    timeout: timeoutMs,
    maxContentLength: maxBytes,
    maxBodyLength: maxBytes,
    maxRedirects: 0,
    proxy: false,
    adapter: quietMaxMs > 0 ? whileNotQuiet(send, quietMaxMs) : send,
    validateStatus: () => true,
    httpAgent: new http.Agent(sockets),
    httpsAgent: new https.Agent(sockets),
    headers: { 'User-Agent': userAgent ?? 'lobbystats' },
  });
  if (onlyPublic) {
    client.interceptors.request.use((config) => {
      checkHost(client.getUri(config));
      return config;
    });
  }
  client.interceptors.request.use(withContext);
  client.interceptors.request.use(withDeadline);
  client.interceptors.response.use(endSpan, endFailedSpan);
  return client;
}

type Send = (config: InternalAxiosRequestConfig) => Promise<AxiosResponse>;

const requestOnce = axios.getAdapter('http');

/** Errors of a connection that the server closed before it began its response. */
const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** Repeats what RFC 9110, section 9.2.2, allows for requests that may be received twice. One that fails on a new connection is not. */
async function repeated(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
  for (;;) {
    try {
      return await requestOnce(config);
    } catch (error) {
      if (!isAxiosError(error) || !CLOSED.has(error.code)) throw error;
      if ((error.request as http.ClientRequest | undefined)?.reusedSocket !== true) throw error;
    }
  }
}

/** As axios' own adapter, which would keep each chunk of a body in a buffer of its own until the end. */
function bounded(send: Send): Send {
  return async (config) => {
    const { responseType } = config;
    if (responseType === 'stream') return send(config);
    config.responseType = 'stream';
    try {
      const response = (await send(config)) as AxiosResponse<unknown>;
      const body = await readChunks(response.data as Readable);
      response.data = responseType === 'arraybuffer' ? body : body.toString().replace(/^\uFEFF/, '');
      return response;
    } finally {
      Object.assign(config, { responseType });
    }
  };
}

function whileNotQuiet(send: Send, quietMaxMs: number): Send {
  let quietUntil = 0;
  return async (config) => {
    // Not the wall clock, which may be set.
    if (performance.now() < quietUntil) throw new AxiosError('the server asked to wait', 'QUIET', config);
    const response = await send(config);
    const { status, headers } = response;
    const isOfServer = status === 408 || status === 429 || status >= 500;
    const waitMs = isOfServer ? retryAfterMs(headers['retry-after'], Date.now()) : 0;
    quietUntil = Math.max(quietUntil, performance.now() + Math.min(waitMs ?? 0, quietMaxMs));
    return response;
  };
}

/** The wait of a `Retry-After` header, seconds or a date, in milliseconds. Undefined when it is missing or invalid. */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

async function readChunks(chunks: Readable): Promise<Buffer> {
  // axios ends the stream at the limit.
  const bytes = new BodyBytes(-1);
  for await (const chunk of chunks as AsyncIterable<Buffer>) bytes.append(chunk);
  return bytes.copy();
}

function withContext(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const current = context.getStore();
  if (current === undefined) return config;
  const call = current.service === undefined ? undefined : beginCall(callOf(config));
  if (call !== undefined) calls.set(config, call);
  config.headers.set('traceparent', call?.traceparent ?? current.traceparent);
  if (current.requestId !== undefined) config.headers.set('X-Request-Id', current.requestId);
  return config;
}

const calls = new WeakMap<InternalAxiosRequestConfig, CallSpan>();

/** Spans name the host alone: paths may contain personal data. */
function callOf({ url, baseURL, method = 'get' }: InternalAxiosRequestConfig): Call {
  return { to: URL.parse(url ?? '', baseURL)?.hostname ?? 'unknown', method: method.toUpperCase() };
}

function endSpan(response: AxiosResponse): AxiosResponse {
  calls.get(response.config)?.endWithStatus(response.status);
  return response;
}

function endFailedSpan(error: unknown): never {
  const config = isAxiosError(error) ? error.config : undefined;
  const signal = config?.signal as AbortSignal | undefined;
  // axios reports just "canceled"; the signal has the reason.
  const fault: unknown = signal?.aborted === true ? signal.reason : error;
  if (config !== undefined) calls.get(config)?.endWithError(fault);
  throw fault;
}

/** axios restarts its timeout with each byte: a slow response would never end. */
function withDeadline(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const deadline = AbortSignal.timeout(config.timeout ?? 0);
  config.signal = config.signal instanceof AbortSignal ? AbortSignal.any([config.signal, deadline]) : deadline;
  return config;
}
