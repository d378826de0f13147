import http from 'node:http';
import https from 'node:https';
import axios, { isAxiosError, type AxiosInstance, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { context } from '../context/work-context.ts';
import { beginCall, type Call, type CallSpan } from '../tracing/call-span.ts';

export interface HttpClientOptions {
  /** From the call to the last byte of the answer, in milliseconds. */
  timeoutMs: number;
  /** Of an answer, unpacked; and of what is sent. -1: as much as comes. */
  maxBytes: number;
  userAgent?: string;
  /** Connections to one host at most. Default: 50. */
  maxSockets?: number;
}

/**
 * A client for other services. It keeps connections, follows no redirect, uses no proxy, rejects when no whole answer
 * came in time and size, and never because of a status. Calls bear the trace and request id that they are made for.
 */
export function createHttpClient({
  timeoutMs,
  maxBytes,
  userAgent,
  maxSockets = 50,
}: HttpClientOptions): AxiosInstance {
  const sockets = { keepAlive: true, maxSockets };
  const client = axios.create({
    timeout: timeoutMs,
    maxContentLength: maxBytes,
    maxBodyLength: maxBytes,
    maxRedirects: 0,
    proxy: false,
    validateStatus: () => true,
    httpAgent: new http.Agent(sockets),
    httpsAgent: new https.Agent(sockets),
    headers: { 'User-Agent': userAgent ?? 'lobbystats' },
  });
  client.interceptors.request.use(withContext);
  client.interceptors.request.use(withDeadline);
  client.interceptors.response.use(answered, failed);
  return client;
}

function withContext(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const current = context.current();
  if (current === undefined) return config;
  const call = current.service === undefined ? undefined : beginCall(callOf(config));
  if (call !== undefined) calls.set(config, call);
  config.headers.set('traceparent', call?.traceparent ?? current.traceparent);
  if (current.requestId !== undefined) config.headers.set('X-Request-Id', current.requestId);
  return config;
}

/** The spans of calls under way, where spans are recorded. */
const calls = new WeakMap<InternalAxiosRequestConfig, CallSpan>();

/** Of where a call goes to its host alone: the rest may say whom it is about. */
function callOf({ url, baseURL, method = 'get' }: InternalAxiosRequestConfig): Call {
  const whole = URL.parse(url ?? '', baseURL);
  return { to: whole?.hostname ?? 'unknown', method: method.toUpperCase() };
}

function answered(response: AxiosResponse): AxiosResponse {
  calls.get(response.config)?.answered(response.status);
  return response;
}

function failed(error: unknown): never {
  const config = isAxiosError(error) ? error.config : undefined;
  const signal = config?.signal as AbortSignal | undefined;
  // "canceled" says nothing: why the signal was given does.
  const fault: unknown = signal?.aborted === true ? signal.reason : error;
  if (config !== undefined) calls.get(config)?.failed(fault);
  throw fault;
}

/** axios' own time-out starts anew with each byte: an answer that drips would never end. */
function withDeadline(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const deadline = AbortSignal.timeout(config.timeout ?? 0);
  config.signal = config.signal instanceof AbortSignal ? AbortSignal.any([config.signal, deadline]) : deadline;
  return config;
}
