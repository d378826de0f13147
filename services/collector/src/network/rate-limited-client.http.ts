import { messageOf } from '@lobbystats/errors';
import type { AxiosInstance, AxiosResponse } from 'axios';
import { PageFailure, UnparseablePageError } from './page-failures.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Time } from '../time/time.ts';
import { PRIORITIES, type RequestQueue, type Urgency } from './request-queue.http.ts';

export interface HttpResponse {
  status: number;
  header: (name: string) => string | undefined;
  body: Buffer;
}

interface ResponseLimits {
  timeoutMs: number;
  maxBytes: number;
}

/** Sends requests to the network within the rate limit, and none while a `Retry-After` is in effect. */
export interface RateLimitedClient {
  /** Resolves when a request may be sent. Rejects with a PageFailure `late` or `rate-limited` when the deadline comes first. */
  acquire(deadlineMs: number, urgency?: Urgency): Promise<void>;
  /**
   * Sends a GET at once. Rejects with a PageFailure `unavailable` without a complete response, with a final
   * UnparseablePageError when the decompressed body exceeds `maxBytes`.
   */
  get(url: string, headers: Record<string, string>, limits: ResponseLimits): Promise<HttpResponse>;
}

export interface RateLimitedClientParts {
  client: AxiosInstance;
  queue: RequestQueue;
  telemetry: Telemetry;
  time: Time;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

export function createRateLimitedClient(parts: RateLimitedClientParts): RateLimitedClient {
  const { client, queue, telemetry, time, stopping } = parts;
  let quietUntilMs = 0;

  return {
    async acquire(deadlineMs, urgency = 'usual') {
      const beganMs = time.now();
      const isNeeded = () => !stopping.aborted && time.now() < deadlineMs && quietUntilMs < deadlineMs;
      for (let hasPermit = false; !hasPermit || quietUntilMs > time.now();) {
        if (quietUntilMs >= deadlineMs) throw new PageFailure('rate-limited', 'Retry-After ends after the deadline');
        if (quietUntilMs > time.now()) await time.sleep(quietUntilMs - time.now(), stopping);
        hasPermit = await queue.add(isNeeded, { priority: PRIORITIES[urgency], signal: stopping }).catch(() => false);
        if (!hasPermit && quietUntilMs < deadlineMs) throw new PageFailure('late', 'The deadline has passed');
      }
      telemetry.requestSent(Math.max(0, time.now() - beganMs));
    },

    async get(url, headers, { timeoutMs, maxBytes }) {
      const answer = await client
        .get<Buffer>(url, {
          headers,
          responseType: 'arraybuffer',
          timeout: timeoutMs,
          maxContentLength: maxBytes,
          signal: stopping,
        })
        .catch((error: unknown) => {
          if (stopping.aborted) throw new PageFailure('late', 'The collector stops', { cause: error });
          if (isTooLong(error)) {
            throw new UnparseablePageError(`it is longer than ${maxBytes} bytes`, { isFinal: true });
          }
          throw new PageFailure('unavailable', `No complete response: ${messageOf(error)}`, { cause: error });
        });
      noteQuiet(answer);
      return { status: answer.status, header: (name) => headerOf(answer, name), body: answer.data };
    },
  };

  function noteQuiet(answer: AxiosResponse): void {
    if (answer.status !== 429 && answer.status !== 503) return;
    const waitMs = retryAfterMs(headerOf(answer, 'retry-after'), time.now());
    if (waitMs !== undefined) quietUntilMs = Math.max(quietUntilMs, time.now() + waitMs);
  }
}

/** axios has no error code for this; it stops reading at the decompressed length. */
function isTooLong(error: unknown): boolean {
  return messageOf(error).startsWith('maxContentLength size of ');
}

function headerOf(answer: AxiosResponse, name: string): string | undefined {
  const value: unknown = answer.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Longer waits are capped at one hour. */
const MAX_WAIT_MS = 3_600_000;

/** The wait of a `Retry-After` header, seconds or a date, in milliseconds. Undefined when it is invalid. */
function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}
