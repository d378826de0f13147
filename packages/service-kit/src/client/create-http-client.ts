import http from 'node:http';
import https from 'node:https';
import axios, { type AxiosInstance, type InternalAxiosRequestConfig } from 'axios';
import { context } from '../context/work-context.ts';

export interface HttpClientOptions {
  /** From the call to the last byte of the answer, in milliseconds. */
  timeoutMs: number;
  /** Of an answer, unpacked. */
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
  return client;
}

function withContext(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const current = context.current();
  if (current === undefined) return config;
  config.headers.set('traceparent', current.traceparent);
  if (current.requestId !== undefined) config.headers.set('X-Request-Id', current.requestId);
  return config;
}

/** axios' own time-out starts anew with each byte: an answer that drips would never end. */
function withDeadline(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const deadline = AbortSignal.timeout(config.timeout ?? 0);
  config.signal = config.signal instanceof AbortSignal ? AbortSignal.any([config.signal, deadline]) : deadline;
  return config;
}
