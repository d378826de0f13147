import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppError } from '@lobbystats/contracts/errors';
import { suppressRequestLog } from '@lobbystats/service-kit';
import { Pool } from 'undici';
import { fetchResponse, NoResponseError, type DispatchRequest, type HttpResponse } from './fetch-response.http.ts';
import { dropStalled, type IncomingBody } from './incoming-body.http.ts';
import { roundRobinLookup } from './round-robin-lookup.http.ts';
import type { RequestOutcome, UpstreamHooks } from './upstream-outcome.http.ts';
import { unavailable } from './upstreams.ts';

export interface UpstreamLimits {
  /** For the complete response. */
  timeoutMs: number;
  /** The largest response that is buffered, in bytes. */
  maxBytes: number;
  /** Time limit of a streaming response. */
  streamMs: number;
}

interface UpstreamClientOptions extends UpstreamLimits {
  upstream: string;
  url: string;
  hooks: UpstreamHooks;
}

export interface UpstreamRequest {
  request: DispatchRequest;
  timeoutMs: number;
  share: UpstreamShare;
  isSafe: boolean;
  streamedFrom?: number | undefined;
}

/**
 * How many requests an upstream gets at once, and how many more wait for a connection. Those with a session wait for the auth
 * service, and reads of more than a whole series for the store: others do not wait behind them. As many others as an upstream
 * gets at once are answered within the time limit of the slowest store, 0.7 s, if it answers 23 a second.
 */
const SHARES = {
  session: { connections: 256, waiting: 256 },
  large: { connections: 2, waiting: 8 },
  other: { connections: 16, waiting: 256 },
};
export type UpstreamShare = keyof typeof SHARES;
/** Upstreams are on the same network: one that has not accepted a connection by then is down. */
const CONNECT_MS = 1000;
/** How long a connection is reused, so that a new replica soon gets its share of requests. */
const CONNECTION_TTL_MS = 2000;
/** Consecutive requests without a response that open the circuit. */
const FAILURES_MAX = 5;
/** Interval of the requests that probe an open circuit, whether or not the previous probe has ended. */
const PROBE_INTERVAL_MS = 1000;

interface Share {
  readonly pool: Pool;
  /** Streaming responses, at most `streamsMax`: each holds a connection. */
  readonly streams: Set<IncomingBody>;
  readonly streamsMax: number;
  /** Requests under way and waiting. */
  readonly most: number;
  active: number;
}

/** Sends requests to one upstream: a limit of concurrent ones, one retry, and a circuit breaker. */
export class UpstreamClient {
  readonly #options: UpstreamClientOptions;
  readonly #basePath: string;
  readonly #shares: Readonly<Record<UpstreamShare, Share>>;
  readonly #limitError: AppError;
  readonly #circuitError: AppError;
  /** Consecutive requests without a response. */
  #failures = 0;
  #probedMs = 0;

  constructor(options: UpstreamClientOptions) {
    const { upstream, url, timeoutMs } = options;
    const { origin, pathname } = new URL(url);
    this.#options = options;
    this.#basePath = pathname === '/' ? '' : pathname;
    const share = ({ connections, waiting }: (typeof SHARES)[UpstreamShare]): Share => ({
      pool: openPool(origin, connections, timeoutMs),
      streams: new Set(),
      streamsMax: connections / 2,
      most: connections + waiting,
      active: 0,
    });
    this.#shares = { session: share(SHARES.session), large: share(SHARES.large), other: share(SHARES.other) };
    this.#limitError = notSentError(`${upstream} was not called: its concurrency limit is reached`);
    this.#circuitError = notSentError(`${upstream} was not called: its circuit is open`);
  }

  /**
   * @throws AppError `unavailable` when no request was sent
   * @throws Error when there is no usable response
   */
  async fetch(call: UpstreamRequest): Promise<HttpResponse> {
    if (this.#failures >= FAILURES_MAX && !this.#takeProbe()) {
      this.#count('circuit_open');
      throw this.#circuitError;
    }
    const share = this.#shares[call.share];
    if (share.active >= share.most) {
      this.#count('rejected');
      throw this.#limitError;
    }
    share.active += 1;
    try {
      return await this.#exchange(call, share);
    } finally {
      share.active -= 1;
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#shares).map(({ pool }) => pool.destroy()));
  }

  /** Sends the request, and retries once if it is safe and the connection broke before the response head. */
  async #exchange(call: UpstreamRequest, share: Share): Promise<HttpResponse> {
    const { maxBytes, streamMs, timeoutMs: usualMs } = this.#options;
    const { request, isSafe, timeoutMs, streamedFrom } = call;
    const path = this.#basePath + request.path;
    const endMs = performance.now() + timeoutMs;
    const attempt = () => {
      const limits = { timeoutMs: endMs - performance.now(), maxBytes, streamMs, streamedFrom };
      return fetchResponse(share.pool, { ...request, path }, limits);
    };
    try {
      const response = await attempt().catch(async (error: unknown) => {
        if (!isSafe || reasonOf(error) !== 'broken') throw error;
        this.#count('retried');
        // A restart breaks all connections of an upstream: the pool notices the others within this tick.
        await nextTurn();
        return attempt();
      });
      this.#setFailures(0);
      if (!Buffer.isBuffer(response.body)) this.#admitStream(response.body, share);
      this.#count('answered');
      return response;
    } catch (error) {
      const reason = reasonOf(error);
      const hadLittleTime = reason === 'late' && timeoutMs < usualMs / 2;
      if (reason === 'too-large') this.#count('too_large');
      else if (reason === 'not-sent' || hadLittleTime) this.#count('timeout');
      else if (reason !== undefined) {
        this.#count('failed');
        this.#setFailures(this.#failures + 1);
      }
      throw error;
    }
  }

  /** Beyond the limit a reader that has stalled is dropped, so that slow readers don't block others. */
  #admitStream(stream: IncomingBody, { streams, streamsMax }: Share): void {
    if (streams.size >= streamsMax) {
      if (!dropStalled(streams)) {
        stream.destroy();
        throw new Error('too many concurrent streaming responses');
      }
      this.#count('dropped');
    }
    streams.add(stream);
    stream.once('close', () => streams.delete(stream));
  }

  /** Takes the one probe of an interval; false when another request has it. */
  #takeProbe(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#probedMs < PROBE_INTERVAL_MS) return false;
    this.#probedMs = nowMs;
    return true;
  }

  #setFailures(failures: number): void {
    const wasOpen = this.#failures >= FAILURES_MAX;
    const isOpen = failures >= FAILURES_MAX;
    this.#failures = failures;
    if (isOpen === wasOpen) return;
    this.#probedMs = performance.now();
    this.#options.hooks.onCircuitChange(this.#options.upstream, isOpen);
  }

  #count(outcome: RequestOutcome): void {
    this.#options.hooks.onOutcome(this.#options.upstream, outcome);
  }
}

function openPool(origin: string, connections: number, timeoutMs: number): Pool {
  return new Pool(origin, {
    connections,
    // Shorter than the deadline, so that an unaccepted connection is reported as such.
    connectTimeout: Math.min(CONNECT_MS, Math.ceil(timeoutMs / 2)),
    connect: { lookup: roundRobinLookup() },
    // The lookup returns all addresses.
    autoSelectFamily: true,
    clientTtl: CONNECTION_TTL_MS,
    // `fetchResponse` has one deadline for the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function reasonOf(error: unknown): NoResponseError['reason'] | undefined {
  return error instanceof NoResponseError ? error.reason : undefined;
}

/** Created once, so that rejections are cheap under load. */
function notSentError(reason: string): AppError {
  return suppressRequestLog(unavailable(new Error(reason)));
}
