import { hasCode, messageOf } from '@lobbystats/contracts/errors';
import type { Leadership } from '@lobbystats/service-kit/bus';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { Time } from '../../time/time.ts';
import { MAX_QUIET_MS, type HttpClient, type ResponseLimits } from './http-client.http.ts';
import type { HttpResponse } from './http-response.ts';
import { PageFailure } from '../../network/page-failures.ts';
import { responseOf, urlOf, type PageResponse, type SourceRequest, type PageResult } from './page-reader.http.ts';
import type { RequestQueue, Urgency } from './request-queue.ts';
import type { RobotsGate } from './robots-gate.http.ts';
import type { SourceForms } from '../descriptions/source-forms.ts';

interface RequestTime {
  deadlineMs: number;
  urgency?: Urgency;
  /** Connects to public addresses alone. */
  onlyPublic?: boolean;
}

/**
 * All requests of the leading collector: within the rate limit, none while a `Retry-After` is in effect, one at a time
 * for each URL. Rejects with a PageFailure, `late` or `rate-limited` when the deadline comes first, `busy` when the URL
 * is being requested.
 */
export interface RateLimitedClient {
  /** Any replica sends the request and reads the response. */
  ask(page: SourceRequest, time: RequestTime): Promise<PageResponse>;
  /** Sends a GET from here. */
  get(url: string, headers: Record<string, string>, limits: ResponseLimits, time: RequestTime): Promise<HttpResponse>;
}

/** Keeps a `Retry-After` for the next leader, as epoch milliseconds. */
interface QuietStore {
  load(): Promise<number>;
  store(untilMs: number): Promise<void>;
}

export interface RateLimitedClientParts {
  http: HttpClient;
  /** Connects to public addresses alone. */
  publicHttp: HttpClient;
  forms: SourceForms;
  leadership: Leadership;
  queue: RequestQueue;
  telemetry: Telemetry;
  time: Time;
  quiet: QuietStore;
  /** Undefined for a network of our own. */
  robots?: RobotsGate | undefined;
}

const ROBOTS: ResponseLimits = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024 };

export function createRateLimitedClient(parts: RateLimitedClientParts): RateLimitedClient {
  const { http, publicHttp, forms, leadership, queue, quiet, telemetry, time, robots } = parts;
  const { signal } = leadership;
  const requested = new Set<string>();
  let quietUntilMs = 0;
  let isLoaded = false;

  return {
    async ask(page, when) {
      const give = async () => (await leadership.ask(page, () => turnOf(when))) as PageResult;
      return responseOf(await inOrder(urlOf(forms, page), when, give));
    },
    get: (url, headers, limits, when) => inOrder(url, when, () => send(url, headers, limits, when)),
  };

  async function inOrder<Response extends { quietMs: number }>(
    url: string,
    when: RequestTime,
    request: () => Promise<Response>,
  ): Promise<Response> {
    if (requested.has(url)) throw new PageFailure('busy', 'This page is being requested');
    requested.add(url);
    try {
      await robots?.expectAllowed(url, (robotsUrl) =>
        heeding(() => send(robotsUrl, { Accept: 'text/plain' }, ROBOTS, when)),
      );
      return await heeding(request);
    } finally {
      requested.delete(url);
    }
  }

  /** Obeys the `Retry-After` of the response from then on. */
  async function heeding<Response extends { quietMs: number }>(request: () => Promise<Response>): Promise<Response> {
    if (!isLoaded) await loadQuiet();
    const response = await request().catch((error: unknown) => {
      throw failureOf(error);
    });
    if (response.quietMs > 0) {
      quietUntilMs = Math.max(quietUntilMs, time.now() + response.quietMs);
      telemetry.quietAnnounced(response.quietMs);
      await quiet
        .store(quietUntilMs)
        .catch((error: unknown) => telemetry.fault('Retry-After can not be stored', error));
    }
    return response;
  }

  /** The `Retry-After` that an earlier leader was given. */
  async function loadQuiet(): Promise<void> {
    const untilMs = Math.min(await quiet.load(), time.now() + MAX_QUIET_MS);
    quietUntilMs = Math.max(quietUntilMs, untilMs);
    isLoaded = true;
  }

  async function send(
    url: string,
    headers: Record<string, string>,
    limits: ResponseLimits,
    when: RequestTime,
  ): Promise<HttpResponse> {
    await turnOf(when);
    leadership.expectLeading();
    return (when.onlyPublic === true ? publicHttp : http)(url, headers, limits, signal);
  }

  async function turnOf({ deadlineMs, urgency = 'usual' }: RequestTime): Promise<void> {
    const beganMs = time.now();
    const isInTime = () => !signal.aborted && time.now() < deadlineMs;
    while (isInTime()) {
      if (quietMs() > 0) {
        if (quietUntilMs >= deadlineMs) throw new PageFailure('rate-limited', 'Retry-After ends after the deadline');
        await time.sleep(quietMs(), signal);
      } else if (await queue.turn(urgency, () => isInTime() && quietMs() <= 0)) {
        telemetry.requestSent(Math.max(0, time.now() - beganMs));
        return;
      } else if (quietMs() <= 0) {
        break;
      }
    }
    throw new PageFailure('late', 'The deadline has passed');
  }

  /** A replica that is killed, or of another release, answers nothing that can be used. */
  function failureOf(error: unknown): unknown {
    if (signal.aborted) return new PageFailure('late', 'The collector stops', { cause: error });
    if (!hasCode(error, 'unavailable')) return error;
    return new PageFailure('unavailable', `No replica has answered: ${messageOf(error)}`, { cause: error });
  }

  function quietMs(): number {
    return quietUntilMs - time.now();
  }
}
