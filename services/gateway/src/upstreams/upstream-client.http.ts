import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSemaphore, type Semaphore } from '@lobbystats/service-kit/concurrency';
import type { AppError } from '@lobbystats/contracts/errors';
import { suppressRequestLog } from '@lobbystats/service-kit';
import type { Pool } from 'undici';
import {
  fetchResponse,
  NoResponseError,
  type NoResponseReason,
  type DispatchRequest,
  type FetchLimits,
  type HttpResponse,
} from './fetch-response.http.ts';
import { type IncomingBody, LargeResponseLimit } from './incoming-body.http.ts';
import type { RequestOutcome, UpstreamHooks } from './upstream-outcome.http.ts';
import { sessionPool, defaultPool, type UpstreamPool } from './upstream-pool.http.ts';
import { unavailable } from './upstreams.ts';
import type { AdaptiveConcurrencyLimit } from './adaptive-concurrency-limit.ts';

export interface UpstreamClientOptions {
  upstream: string;
  url: string;
  /** For the complete response. */
  timeoutMs: number;
  /** The largest response that is buffered, in bytes. */
  maxBytes: number;
  /** Time limit of a streaming response. */
  streamMs: number;
  hooks: UpstreamHooks;
  /** Monotonic clock of the circuit, in milliseconds. */
  now?: () => number;
}

export interface UpstreamRequest {
  request: DispatchRequest;
  timeoutMs: number;
  /** Whether the upstream verifies a session, which may wait for the auth service. */
  hasSession: boolean;
  isSafe: boolean;
  /** Whether the store reads more for it than a whole series: such reads have a bound of their own. */
  isLarge?: boolean;
  streamedFrom?: number;
}

/** Large reads under way at an upstream, and how many more wait for how long. Others would wait behind them in the store. */
const LARGE_READS = { permits: 2, maxWaiting: 8, waitMs: 1000 };
const UNAVAILABLE = 503;
/** Consecutive requests without a response that open the circuit. */
const FAILURES_MAX = 5;
/** Interval of the requests that probe an open circuit, whether or not the previous probe has ended. */
const PROBE_INTERVAL_MS = 1000;

/** Sends requests to one upstream: two connection pools, one retry, and a circuit breaker. */
export class UpstreamClient {
  readonly #basePath: string;
  readonly #options: UpstreamClientOptions;
  readonly #pool: UpstreamPool;
  /** For requests with a session, which may wait for the auth service: others do not queue behind them. */
  readonly #sessionPool: UpstreamPool;
  readonly #limitError: AppError;
  readonly #circuitError: AppError;
  readonly #largeReads: Semaphore;
  readonly #largeResponses: LargeResponseLimit;
  readonly #now: () => number;
  /** Consecutive requests without a response. */
  #failures = 0;
  #probedMs = 0;

  constructor(options: UpstreamClientOptions) {
    const { upstream, url, timeoutMs, hooks, now = () => performance.now() } = options;
    const { origin, pathname } = new URL(url);
    this.#basePath = pathname === '/' ? '' : pathname;
    this.#options = options;
    this.#limitError = notSentError(`${upstream} was not called: its concurrency limit is reached`);
    this.#circuitError = notSentError(`${upstream} was not called: its circuit is open`);
    this.#largeReads = createSemaphore({ ...LARGE_READS, createError: () => this.#rejected() });
    this.#largeResponses = new LargeResponseLimit(() => hooks.onOutcome(upstream, 'dropped'));
    this.#pool = defaultPool(origin, timeoutMs);
    this.#sessionPool = sessionPool(origin, timeoutMs);
    this.#now = now;
  }

  /**
   * @throws AppError `unavailable` when no request was sent
   * @throws Error when there is no usable response
   */
  async fetch(call: UpstreamRequest): Promise<HttpResponse> {
    const isLarge = call.isLarge === true;
    const response = isLarge ? await this.#largeReads.run(() => this.#fetch(call)) : await this.#fetch(call);
    this.#options.hooks.onOutcome(this.#options.upstream, 'answered');
    return response;
  }

  #rejected(): AppError {
    this.#options.hooks.onOutcome(this.#options.upstream, 'rejected');
    return this.#limitError;
  }

  async #fetch(call: UpstreamRequest): Promise<HttpResponse> {
    const { upstream, hooks } = this.#options;
    const { pool, limit } = call.hasSession ? this.#sessionPool : this.#pool;
    if (this.#failures >= FAILURES_MAX && !this.#takeProbe()) {
      hooks.onOutcome(upstream, 'circuit_open');
      throw this.#circuitError;
    }
    const permit = limit.tryAcquire();
    if (permit === 0) throw this.#rejected();
    const began = performance.now();
    try {
      const response = await this.#exchange(pool, call, began, limit.isAdmitted.bind(limit, permit));
      if (this.#failures > 0) this.#setFailures(0);
      if (response.status === UNAVAILABLE) limit.recordRejection(permit);
      else limit.recordSample(performance.now() - began, permit);
      if (!Buffer.isBuffer(response.body)) this.#admit(response.body, limit);
      return response;
    } catch (error) {
      if (isTimeout(error)) limit.recordSample(performance.now() - began, permit);
      if (isUpstreamFault(error)) this.#setFailures(this.#failures + 1);
      throw this.#countError(error);
    } finally {
      limit.release();
    }
  }

  /** Takes the one probe of an interval; false when another request has it. */
  #takeProbe(): boolean {
    const nowMs = this.#now();
    if (nowMs - this.#probedMs < PROBE_INTERVAL_MS) return false;
    this.#probedMs = nowMs;
    return true;
  }

  #setFailures(failures: number): void {
    const wasOpen = this.#failures >= FAILURES_MAX;
    const isOpen = failures >= FAILURES_MAX;
    this.#failures = failures;
    if (isOpen === wasOpen) return;
    this.#probedMs = this.#now();
    this.#options.hooks.onCircuitChange(this.#options.upstream, isOpen);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.pool.destroy(), this.#sessionPool.pool.destroy()]);
  }

  /** Sends the request, and retries once if it is idempotent and the connection broke before the response head. */
  async #exchange(pool: Pool, call: UpstreamRequest, began: number, isAdmitted: () => boolean): Promise<HttpResponse> {
    const { upstream, hooks, maxBytes, streamMs, timeoutMs: usualMs } = this.#options;
    const { request, isSafe, timeoutMs, streamedFrom } = call;
    const fetch = () => {
      const leftMs = Math.max(1, Math.ceil(began + timeoutMs - performance.now()));
      const streaming = streamedFrom === undefined ? {} : { streamedFrom };
      const limits: FetchLimits = { timeoutMs: leftMs, maxBytes, streamMs, isAdmitted, ...streaming };
      const path = this.#basePath + request.path;
      return fetchResponse(pool, { ...request, path }, limits);
    };
    try {
      return await fetch().catch(async (error: unknown) => {
        const isBroken = error instanceof NoResponseError && error.reason === 'broken';
        if (!isBroken || !isSafe || pool.destroyed) throw error;
        hooks.onOutcome(upstream, 'retried');
        // A restart breaks all connections of an upstream: the pool notices the others within this tick.
        await nextTurn();
        return fetch();
      });
    } catch (error) {
      const hadLittleTime = isTimeout(error) && timeoutMs < usualMs / 2;
      throw hadLittleTime ? new NoResponseError('no-time', 'little time was left', { cause: error }) : error;
    }
  }

  #admit(body: IncomingBody, limit: AdaptiveConcurrencyLimit): void {
    this.#largeResponses.admit(body);
    limit.acquireExtra();
    body.once('close', () => {
      limit.release();
    });
  }

  /** Counts an error and returns what to throw. */
  #countError(error: unknown): unknown {
    const { upstream, hooks } = this.#options;
    if (!(error instanceof NoResponseError)) return error;
    if (error.reason === 'unwanted') {
      hooks.onOutcome(upstream, 'rejected');
      return this.#limitError;
    }
    hooks.onOutcome(upstream, outcomeOf(error));
    return error;
  }
}

function outcomeOf(error: NoResponseError): RequestOutcome {
  if (error.reason === 'too-large') return 'too_large';
  return isUpstreamFault(error) ? 'failed' : 'timeout';
}

function isTimeout(error: unknown): boolean {
  return error instanceof NoResponseError && (error.reason === 'late' || error.reason === 'no-time');
}

/** Not the upstream's fault: it has other requests' responses, as one that is too large shows. */
const HEALTHY: ReadonlySet<NoResponseReason> = new Set(['no-time', 'unwanted', 'too-large']);

function isUpstreamFault(error: unknown): boolean {
  return error instanceof NoResponseError && !HEALTHY.has(error.reason);
}

/** Created once, so that rejections are cheap under load. */
function notSentError(reason: string): AppError {
  return suppressRequestLog(unavailable(new Error(reason)));
}
