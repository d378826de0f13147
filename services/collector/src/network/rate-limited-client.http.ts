import { messageOf } from '@lobbystats/contracts/errors';
import { retryAfterMs } from '@lobbystats/service-kit';
import type { AxiosInstance, AxiosResponse } from 'axios';
import type { HttpResponse } from './http-response.ts';
import { PageFailure, UnparseablePageError } from './page-failures.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Time } from '../time/time.ts';
import type { Pacer } from './pacer.ts';
import type { RequestQueue, Urgency } from './request-queue.ts';
import type { RobotsGate } from './robots-gate.http.ts';

interface ResponseLimits {
  timeoutMs: number;
  maxBytes: number;
}

/** Sends requests to the network within the rate limit, and none while a `Retry-After` is in effect. */
export interface RateLimitedClient {
  /** Resolves with the turn of a request. Rejects with a PageFailure `late` or `rate-limited` when the deadline comes first. */
  takeTurn(deadlineMs: number, urgency?: Urgency): Promise<Turn>;
}

export interface Turn {
  /**
   * Sends a GET as soon as the rate limit permits it. Rejects with a PageFailure `late` or `rate-limited` when it doesn't
   * before the deadline, with `unavailable` without a complete response, and with a final UnparseablePageError when the
   * decompressed body exceeds `maxBytes`.
   */
  get(url: string, headers: Record<string, string>, limits: ResponseLimits): Promise<HttpResponse>;
  /** Ends a turn that was not used. */
  end(): void;
}

export interface RateLimitedClientParts {
  client: AxiosInstance;
  queue: RequestQueue;
  pacer: Pacer;
  telemetry: Telemetry;
  time: Time;
  /** Undefined for a network of our own. */
  robots?: RobotsGate | undefined;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

interface Admission {
  beganMs: number;
  deadlineMs: number;
  urgency: Urgency;
  end: () => void;
}

export function createRateLimitedClient(parts: RateLimitedClientParts): RateLimitedClient {
  const { client, queue, pacer, telemetry, time, robots, stopping } = parts;
  let quietUntilMs = 0;

  return {
    async takeTurn(deadlineMs, urgency = 'usual') {
      const beganMs = time.now();
      for (;;) {
        await untilQuietEnds(deadlineMs);
        const end = await queue.takeTurn(urgency).catch(() => undefined);
        if (end === undefined || !isInTime(deadlineMs)) {
          end?.();
          throw new PageFailure('late', 'The deadline has passed');
        }
        if (quietMs() <= 0) return { get: getter({ beganMs, deadlineMs, urgency, end }), end };
        end();
      }
    },
  };

  function getter({ beganMs, deadlineMs, urgency, end }: Admission): Turn['get'] {
    return async (url, headers, limits) => {
      try {
        await robots?.expectAllowed(url, async (robotsUrl) => {
          await permit();
          return send(robotsUrl, { Accept: 'text/plain' }, ROBOTS);
        });
        await permit();
      } finally {
        end();
      }
      return send(url, headers, limits);
    };

    async function permit(): Promise<void> {
      const isPermitted = await queue.permit(urgency, () => isInTime(deadlineMs) && quietMs() <= 0);
      if (!isPermitted) throw noPermit();
      telemetry.requestSent(Math.max(0, time.now() - beganMs));
    }
  }

  function isInTime(deadlineMs: number): boolean {
    return !stopping.aborted && time.now() < deadlineMs;
  }

  function noPermit(): PageFailure {
    if (quietMs() > 0) return new PageFailure('rate-limited', 'A Retry-After is in effect');
    return new PageFailure('late', 'The deadline has passed');
  }

  function quietMs(): number {
    return Math.max(quietUntilMs - time.now(), pacer.quietMs());
  }

  async function untilQuietEnds(deadlineMs: number): Promise<void> {
    while (quietMs() > 0 && !stopping.aborted) {
      const waitMs = quietMs();
      if (time.now() + waitMs >= deadlineMs)
        throw new PageFailure('rate-limited', 'Retry-After ends after the deadline');
      const until = quietUntilMs;
      await time.sleep(waitMs, stopping);
      // The wait is over even if the wall clock was set back meanwhile.
      if (quietUntilMs === until) quietUntilMs = Math.min(until, time.now());
    }
  }

  async function send(url: string, headers: Record<string, string>, limits: ResponseLimits): Promise<HttpResponse> {
    const answer = await client
      .get<Buffer>(url, {
        headers,
        responseType: 'arraybuffer',
        timeout: limits.timeoutMs,
        maxContentLength: limits.maxBytes,
        signal: stopping,
      })
      .catch((error: unknown) => {
        if (stopping.aborted) throw new PageFailure('late', 'The collector stops', { cause: error });
        if (isTooLong(error)) {
          throw new UnparseablePageError(`it is longer than ${limits.maxBytes} bytes`, { isFinal: true });
        }
        throw new PageFailure('unavailable', `No complete response: ${messageOf(error)}`, { cause: error });
      });
    noteQuiet(answer);
    return {
      status: answer.status,
      header: (name) => headerOf(answer, name),
      body: answer.data,
      receivedMs: time.now(),
    };
  }

  function noteQuiet(answer: AxiosResponse): void {
    if (answer.status !== 429 && answer.status !== 503) return;
    const waitMs = Math.min(retryAfterMs(headerOf(answer, 'retry-after'), time.now()) ?? 0, MAX_WAIT_MS);
    if (waitMs === 0) return;
    quietUntilMs = Math.max(quietUntilMs, time.now() + waitMs);
    telemetry.quietAnnounced(waitMs);
    pacer.announceQuiet(waitMs);
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

const ROBOTS: ResponseLimits = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 };

/** Longer waits are capped at one hour. */
const MAX_WAIT_MS = 3_600_000;
