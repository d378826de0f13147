import type { resolveWithin } from '@lobbystats/concurrency';
import { hasCode } from '@lobbystats/errors';
import { OVERDUE_SECONDS, secondsUntil } from './freshness.ts';
import { CacheStore, ENTRY_BYTES_MAX } from './cache-store.ts';
import { forwarded, HIT, staleHit, type Reason } from './cache-status.ts';
import { EncodedBodies, type EncodedBody, type Compress } from './encoded-bodies.ts';
import type { ContentCoding } from './content-coding.ts';
import { ResponseFlights, type Flight, type EncodedResponse } from './response-flights.ts';
import { UnsharedResponse, type ResponseStream } from './unshared-response.ts';
import { Precompressor } from './precompressor.ts';
import type { ServedResponse, ServedStream, CacheEntry, CacheRequest } from './cache-request.ts';

/** How long a stale entry is served while a new response is fetched, in milliseconds. */
const STALE_WHILE_REVALIDATE_MS = 3000;
/** How long a request waits for a new response before it gets the stale one, in milliseconds. */
const REVALIDATE_TIMEOUT_MS = 1000;
/** How long a failed fetch is not repeated, in milliseconds. */
const RETRY_MS = 1000;

export type CacheOutcome = 'hit' | 'stale' | 'miss' | 'collapsed' | 'bypass';

export interface CacheMetrics {
  countServed(operation: string, outcome: CacheOutcome): void;
  countEviction(): void;
  setSize(bytes: number, entries: number): void;
}

export interface ResponseCacheOptions {
  /** 0: no caching and no sharing. */
  maxBytes: number;
  now: () => number;
  /** See `Freshness.nextMs`. */
  nextMs: () => number;
  compress: Compress;
  resolveWithin: typeof resolveWithin;
  metrics: CacheMetrics;
}

/**
 * Serves fresh entries and coalesces concurrent fetches. Serves stale entries for 3 s during a fetch,
 * and while the upstream is unavailable.
 */
export class ResponseCache {
  readonly #options: ResponseCacheOptions;
  readonly #store: CacheStore;
  readonly #flights: ResponseFlights;

  constructor(options: ResponseCacheOptions) {
    this.#options = options;
    const { maxBytes, now, nextMs, compress, metrics } = options;
    const ahead = new Precompressor(compress);
    this.#store = new CacheStore(maxBytes, now, () => metrics.countEviction());
    this.#flights = new ResponseFlights({
      nextMs,
      encode: async ({ request }, response) => {
        const bodies = await ahead.precompress(response, this.#store.get(request.key)?.bodies);
        return { bodies, headers: response.headers };
      },
      onFetched: (flight, answer) => this.#onFetched(flight, answer),
      onFailed: (flight, error) => this.#onFailed(flight, error),
    });
  }

  /** Returns an entry that can be served at once: fresh, being refreshed, or recently failed to refresh. */
  lookup(key: string, encoding: ContentCoding): ServedResponse | undefined {
    const entry = this.#store.get(key);
    if (entry?.bodies.ready(encoding) === undefined) return undefined;
    const nowMs = this.#options.now();
    const staleSinceMs = this.#store.staleSinceMs(entry, nowMs);
    if (staleSinceMs === undefined) return this.#hit(key, entry, nowMs);
    if (hasRecentFailure(entry, nowMs)) return this.#stale(key, entry, staleSinceMs, 'unavailable');
    const isRefreshing = nowMs - staleSinceMs <= STALE_WHILE_REVALIDATE_MS && this.#flights.current(key) !== undefined;
    return isRefreshing ? this.#stale(key, entry, staleSinceMs, 'refreshing') : undefined;
  }

  /** @throws AppError as the fetch does, if there is no stale entry to serve */
  async getOrFetch(request: CacheRequest): Promise<ServedResponse | ServedStream> {
    if (this.#options.maxBytes === 0) return this.bypass(request, 'bypass');
    if (request.policy === 'store') return this.#fromStore(request);
    if (request.policy === 'revalidate') return this.#revalidate(request);
    const running = this.#flights.current(request.key);
    return this.#fromFlight(running ?? this.#flights.begin(request), 'uri-miss', running !== undefined);
  }

  async bypass(
    { key, operation, fetch }: Pick<CacheRequest, 'key' | 'operation' | 'fetch'>,
    why: Reason,
  ): Promise<ServedResponse | ServedStream> {
    const { now, nextMs, metrics } = this.#options;
    const expectedMs = nextMs();
    const response = await fetch();
    const maxAgeSeconds = this.#maxAgeSeconds(expectedMs, now());
    if (response instanceof UnsharedResponse) {
      const large = response.claim();
      if (large !== undefined) return toServedStream(large, response, maxAgeSeconds);
      throw new Error('an unshared response was claimed by another caller');
    }
    const { body, tag, headers } = response;
    metrics.countServed(operation, 'bypass');
    const bodies = new EncodedBodies(body, tag);
    return { key, bodies, headers, maxAgeSeconds, ageSeconds: undefined, status: forwarded(why) };
  }

  async encodedBody({ key, bodies }: ServedResponse, encoding: ContentCoding): Promise<EncodedBody> {
    const ready = bodies.ready(encoding);
    if (ready !== undefined) return ready;
    const body = await bodies.encode(encoding, this.#options.compress);
    this.#store.resize(key, bodies);
    this.#reportSize();
    return body;
  }

  /**
   * Invalidates entries with these tags.
   *
   * @param alsoConsumedBy services that consume the fact as well: their next responses may still be old
   */
  invalidate(tags: readonly string[], alsoConsumedBy: readonly string[] = []): void {
    this.#flights.invalidate(tags);
    this.#store.invalidate(tags, alsoConsumedBy);
  }

  /** Purges entries with these tags: they are not served stale either. */
  purge(tags: readonly string[], alsoConsumedBy: readonly string[] = []): void {
    this.#flights.invalidate(tags);
    this.#store.purge(tags, alsoConsumedBy);
    this.#reportSize();
  }

  invalidateAll(): void {
    this.#flights.invalidateWhere(() => true);
    this.#store.invalidateAll();
  }

  /** While the fact log can't be read, entries are fresh for at most 5 s. */
  setConnected(isFollowing: boolean): void {
    this.#store.setConnected(isFollowing);
  }

  async #fromStore(request: CacheRequest): Promise<ServedResponse | ServedStream> {
    const { key } = request;
    const nowMs = this.#options.now();
    const entry = this.#store.get(key);
    const staleSinceMs = entry === undefined ? undefined : this.#store.staleSinceMs(entry, nowMs);
    if (entry !== undefined && staleSinceMs === undefined) return this.#hit(key, entry, nowMs);
    if (entry !== undefined && hasRecentFailure(entry, nowMs))
      return this.#stale(key, entry, staleSinceMs, 'unavailable');
    const running = this.#flights.current(key);
    const flight = running ?? this.#flights.begin(request);
    const isCollapsed = running !== undefined;
    if (entry === undefined) return this.#fromFlight(flight, 'uri-miss', isCollapsed);
    if (nowMs - (staleSinceMs ?? nowMs) <= STALE_WHILE_REVALIDATE_MS)
      return this.#stale(key, entry, staleSinceMs, 'refreshing');
    return this.#fromFlightOrStale(flight, entry, isCollapsed);
  }

  /** The stored entry is served only while the upstream is unavailable. */
  async #revalidate(request: CacheRequest): Promise<ServedResponse | ServedStream> {
    const reason = this.#store.get(request.key) === undefined ? 'uri-miss' : 'stale';
    try {
      const flight = await this.#flights.next(request);
      return await this.#fromFlight(flight, reason, flight.request !== request);
    } catch (error) {
      const entry = this.#store.get(request.key);
      if (entry === undefined || !hasCode(error, 'unavailable')) throw error;
      const { storedMs } = entry;
      return this.#stale(request.key, entry, storedMs, 'unavailable');
    }
  }

  async #fromFlight(flight: Flight, reason: Reason, isCollapsed: boolean): Promise<ServedResponse | ServedStream> {
    const landed = await flight.response;
    const { key, operation } = flight.request;
    const { now, metrics } = this.#options;
    const maxAgeSeconds = flight.isInvalidated ? 0 : this.#maxAgeSeconds(flight.nextMs, now());
    if (landed instanceof UnsharedResponse) {
      const large = landed.claim();
      return large === undefined ? this.bypass(flight.request, reason) : toServedStream(large, landed, maxAgeSeconds);
    }
    const { bodies, headers } = landed;
    const isStored = this.#store.get(key)?.flightToken === flight.token;
    metrics.countServed(operation, isCollapsed ? 'collapsed' : 'miss');
    return {
      key,
      bodies,
      headers,
      maxAgeSeconds,
      ageSeconds: undefined,
      status: forwarded(reason, { isCollapsed, isStored }),
    };
  }

  async #fromFlightOrStale(
    flight: Flight,
    entry: CacheEntry,
    isCollapsed: boolean,
  ): Promise<ServedResponse | ServedStream> {
    const { resolveWithin: within, now } = this.#options;
    const { key } = flight.request;
    const stale = (why: 'refreshing' | 'unavailable') =>
      this.#stale(key, entry, this.#store.staleSinceMs(entry, now()), why);
    try {
      const landed = await within(flight.response, REVALIDATE_TIMEOUT_MS);
      // A purged entry must never be served.
      const isPurged = this.#store.get(key) === undefined;
      return landed === undefined && !isPurged
        ? stale('refreshing')
        : await this.#fromFlight(flight, 'stale', isCollapsed);
    } catch (error) {
      if (!hasCode(error, 'unavailable') || this.#store.get(key) === undefined) throw error;
      return stale('unavailable');
    }
  }

  #hit(key: string, entry: CacheEntry, nowMs: number): ServedResponse {
    entry.wasUsed = true;
    this.#options.metrics.countServed(entry.operation, 'hit');
    const { bodies, headers, nextMs } = entry;
    return { key, bodies, headers, maxAgeSeconds: this.#maxAgeSeconds(nextMs, nowMs), ageSeconds: 0, status: HIT };
  }

  #stale(
    key: string,
    entry: CacheEntry,
    staleSinceMs: number | undefined,
    why: 'refreshing' | 'unavailable',
  ): ServedResponse {
    entry.wasUsed = true;
    const nowMs = this.#options.now();
    const ageSeconds = Math.max(0, Math.floor((nowMs - (staleSinceMs ?? nowMs)) / 1000));
    this.#options.metrics.countServed(entry.operation, 'stale');
    const { bodies, headers } = entry;
    return { key, bodies, headers, maxAgeSeconds: 0, ageSeconds, status: staleHit(ageSeconds, why) };
  }

  #maxAgeSeconds(nextMs: number, nowMs: number): number {
    const seconds = secondsUntil(nextMs, nowMs);
    return this.#store.isConnected() ? seconds : Math.min(seconds, OVERDUE_SECONDS);
  }

  #onFetched(flight: Flight, answer: EncodedResponse): void {
    const isCacheable =
      flight.request.policy !== 'coalesce' &&
      !flight.isInvalidated &&
      answer.bodies.identity.bytes.length <= ENTRY_BYTES_MAX;
    if (!isCacheable) return;
    this.#store.put(flight, answer);
    this.#reportSize();
  }

  #onFailed({ request: { key }, isInvalidated }: Flight, error: unknown): void {
    const entry = this.#store.get(key);
    if (entry === undefined || isInvalidated) return;
    if (hasCode(error, 'unavailable')) entry.failedMs = this.#options.now();
    // The resource no longer exists.
    else if (hasCode(error, 'not-found')) this.#store.delete(key);
  }

  #reportSize(): void {
    this.#options.metrics.setSize(this.#store.bytes, this.#store.count);
  }
}

function hasRecentFailure({ failedMs }: CacheEntry, nowMs: number): boolean {
  return failedMs !== undefined && nowMs >= failedMs && nowMs - failedMs < RETRY_MS;
}

function toServedStream(large: ResponseStream, { headers }: UnsharedResponse, maxAgeSeconds: number): ServedStream {
  return { large, headers, maxAgeSeconds, ageSeconds: undefined, status: forwarded('uri-miss') };
}
