import { messageOf } from '@lobbystats/contracts/errors';
import { retryAfterMs } from '@lobbystats/service-kit';
import type { AxiosInstance, AxiosResponse } from 'axios';
import type { HttpResponse } from './http-response.ts';
import { PageFailure, UnparseablePageError } from '../../network/page-failures.ts';

export interface ResponseLimits {
  timeoutMs: number;
  maxBytes: number;
}

/**
 * Sends a GET at once. Rejects with a PageFailure `unavailable` without a complete response, and with a final
 * UnparseablePageError when the decompressed body exceeds `maxBytes`.
 */
export type HttpClient = (
  url: string,
  headers: Record<string, string>,
  limits: ResponseLimits,
  signal: AbortSignal,
) => Promise<HttpResponse>;

/** Longer waits are capped at one hour. */
export const MAX_QUIET_MS = 3_600_000;

export function createHttpGet(client: AxiosInstance, now: () => number): HttpClient {
  return async (url, headers, limits, signal) => {
    const response = await client
      .get<Buffer>(url, {
        headers,
        responseType: 'arraybuffer',
        timeout: limits.timeoutMs,
        maxContentLength: limits.maxBytes,
        signal,
      })
      .catch((error: unknown) => {
        if (signal.aborted) throw new PageFailure('late', 'The collector stops', { cause: error });
        if (isTooLong(error)) {
          throw new UnparseablePageError(`it is longer than ${limits.maxBytes} bytes`, { isFinal: true });
        }
        throw new PageFailure('unavailable', `No complete response: ${messageOf(error)}`, { cause: error });
      });
    return {
      status: response.status,
      header: (name) => headerOf(response, name),
      body: response.data,
      receivedMs: now(),
      quietMs: quietMsOf(response, now()),
    };
  };
}

function quietMsOf(response: AxiosResponse, nowMs: number): number {
  if (response.status !== 429 && response.status !== 503) return 0;
  return Math.min(retryAfterMs(headerOf(response, 'retry-after'), nowMs) ?? 0, MAX_QUIET_MS);
}

/** axios has no error code for this; it stops reading at the decompressed length. */
function isTooLong(error: unknown): boolean {
  return messageOf(error).startsWith('maxContentLength size of ');
}

function headerOf(response: AxiosResponse, name: string): string | undefined {
  const value: unknown = response.headers[name];
  return typeof value === 'string' ? value : undefined;
}
