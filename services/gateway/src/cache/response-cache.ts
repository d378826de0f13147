import type { resolveWithin } from '@lobbystats/service-kit/concurrency';
import type { Operation } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import {
  freshnessOf,
  LargeBody,
  type CacheEntry,
  type CacheRequest,
  type Flight,
  type OriginResponse,
  type ServedResponse,
} from './cache-request.ts';
import { CacheStore, OVERDUE_SECONDS, secondsUntil } from './cache-store.ts';
import type { EncodedBodies, Compress, ContentCoding, EncodedBody } from './encoded-bodies.ts';
import type { Freshness } from './freshness.ts';
import { ResponseFlights } from './response-flights.ts';

/** How long an entry of an older slot is served while a new response is fetched, in milliseconds. */
const STALE_WHILE_REVALIDATE_MS = 3000;
/** How long a request waits for a new response before it gets the stale one, in milliseconds. */
const REVALIDATE_TIMEOUT_MS = 1000;
/** How long a failed fetch is not repeated, in milliseconds. */
const RETRY_MS = 1000;

/** RFC 9211, section 2.2: why the cache forwarded a request. */
type Reason = 'bypass' | 'method' | 'uri-miss' | 'stale';

/** Begins each `Cache-Status`. */
const CACHE = 'lobbystats';
const HIT = `${CACHE}; hit`;

export type CacheOutcome = 'hit' | 'stale' | 'miss' | 'collapsed' | 'bypass';

export interface ResponseCacheOptions {
  /** 0: no caching and no sharing. */
  maxBytes: number;
  now: () => number;
  freshness: Pick<Freshness, 'nextMs'>;
  compress: Compress;
  resolveWithin: typeof resolveWithin;
}

/**
 * Serves fresh entries and coalesces concurrent fetches. Serves stale entries while the upstream is unavailable, and
 * those that go by slots for 3 s during a fetch.
 */
export class ResponseCache {
  readonly #options: ResponseCacheOptions;
  readonly #store: CacheStore;
  readonly #flights: ResponseFlights;
  /** By key: the plain paths of a few operations and pages. */
  readonly #present = new Map<string, CacheRequest>();
  readonly #served = new Map<string, Map<CacheOutcome, number>>();

  constructor(options: ResponseCacheOptions) {
    this.#options = options;
    this.#store = new CacheStore(options.maxBytes, options.now);
    this.#flights = new ResponseFlights(this.#store, options);
  }

  /** Memory of its entries, and evictions since the start. */
  get size(): CacheStore['size'] {
    return this.#store.size;
  }

  /** Responses by operation and outcome since the start. */
  get served(): ReadonlyMap<string, ReadonlyMap<CacheOutcome, number>> {
    return this.#served;
  }

  /** Returns an entry that can be served at once: fresh, being refreshed, or recently failed to refresh. */
  lookup(key: string, encoding: ContentCoding): ServedResponse<EncodedBodies> | undefined {
    const entry = this.#store.get(key);
    if (entry?.body.ready(encoding) === undefined) return undefined;
    const nowMs = this.#options.now();
    const staleSinceMs = this.#store.staleSinceMs(entry, nowMs);
    if (staleSinceMs === undefined) return this.#hit(key, entry, nowMs);
    if (hasRecentFailure(entry, nowMs)) return this.#stale(key, entry, staleSinceMs, 'unavailable');
    const isRefreshing = this.#flights.current(key) !== undefined;
    return isRefreshing && isOfLastSlot(entry, staleSinceMs, nowMs)
      ? this.#stale(key, entry, staleSinceMs, 'refreshing')
      : undefined;
  }

  /** @throws AppError as the fetch does, if there is no stale entry to serve */
  async getOrFetch(request: CacheRequest): Promise<ServedResponse> {
    const { key, policy } = request;
    if (this.#options.maxBytes === 0) return this.#bypass(request, 'bypass');
    if (request.isPresent === true) this.#present.set(key, request);
    if (policy === 'store') return this.#fromStore(request);
    if (policy === 'revalidate') return this.#revalidate(request);
    const isWritten = freshnessOf(request) === 'write';
    const running = isWritten ? await this.#flights.next(request) : this.#flights.current(key);
    const flight = running ?? this.#flights.begin(request);
    return this.#landed(flight, await flight.response, 'uri-miss', flight.request !== request);
  }

  /** Serves the response to a write or to a request with a session, which is for its caller alone. */
  unshared({ id, method }: Pick<Operation, 'id' | 'method'>, { body, headers }: OriginResponse): ServedResponse {
    this.#countServed(id, 'bypass');
    const stream = body instanceof LargeBody ? body.claim() : body;
    if (stream === undefined) throw new Error(`a response of ${id} was claimed by another caller`);
    const status = `${CACHE}; fwd=${method === 'GET' ? 'bypass' : 'method'}`;
    return { key: '', body: stream, headers, maxAgeSeconds: undefined, ageSeconds: undefined, status };
  }

  async encodedBody(
    { key, body }: Pick<ServedResponse<EncodedBodies>, 'key' | 'body'>,
    encoding: ContentCoding,
  ): Promise<EncodedBody> {
    const ready = body.ready(encoding);
    if (ready !== undefined) return ready;
    const encoded = await body.encode(encoding, this.#options.compress);
    this.#store.resize(key, body);
    return encoded;
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
  }

  /** Fetches what shows the present, after a slot invalidated it. A reader meanwhile gets the former response, or waits for the rest. */
  refreshPresent(): void {
    for (const request of this.#present.values()) this.#flights.begin(request);
  }

  invalidateAll(): void {
    this.#flights.invalidate();
    this.#store.invalidateAll();
  }

  /** While the fact log can't be read, entries are fresh for at most 5 s. */
  setConnected(isFollowing: boolean): void {
    this.#store.setConnected(isFollowing);
  }

  async #bypass(request: CacheRequest, reason: Reason): Promise<ServedResponse> {
    const { now, freshness } = this.#options;
    const { nextMs } = freshness;
    const response = await request.fetch();
    return this.#fresh(request, response, {
      maxAgeSeconds: this.#maxAgeSeconds(freshnessOf(request), nextMs, now()),
      status: `${CACHE}; fwd=${reason}`,
      outcome: 'bypass',
    });
  }

  async #fromStore(request: CacheRequest): Promise<ServedResponse> {
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
    if (entry === undefined) return this.#landed(flight, await flight.response, 'uri-miss', isCollapsed);
    if (isOfLastSlot(entry, staleSinceMs, nowMs)) return this.#stale(key, entry, staleSinceMs, 'refreshing');
    return this.#fromFlightOrStale(flight, entry, isCollapsed);
  }

  /** The stored entry is served only while the upstream is unavailable. */
  async #revalidate(request: CacheRequest): Promise<ServedResponse> {
    const { key } = request;
    const reason = this.#store.get(key) === undefined ? 'uri-miss' : 'stale';
    try {
      const flight = await this.#flights.next(request);
      return await this.#landed(flight, await flight.response, reason, flight.request !== request);
    } catch (error) {
      const entry = this.#store.get(key);
      if (entry === undefined || !hasCode(error, 'unavailable')) throw error;
      return this.#stale(key, entry, entry.storedMs, 'unavailable');
    }
  }

  #landed(flight: Flight, response: OriginResponse, reason: Reason, isCollapsed: boolean): Promise<ServedResponse> {
    const { request, nextMs, token } = flight;
    const isStored = this.#store.get(request.key)?.flightToken === token;
    const maxAgeSeconds = this.#maxAgeSeconds(freshnessOf(request), nextMs, this.#options.now());
    return this.#fresh(request, response, {
      maxAgeSeconds: maxAgeSeconds && (flight.isInvalidated ? 0 : maxAgeSeconds),
      status: `${CACHE}; fwd=${reason}${isStored ? '; stored' : ''}${isCollapsed ? '; collapsed' : ''}`,
      outcome: isCollapsed ? 'collapsed' : 'miss',
    });
  }

  async #fromFlightOrStale(flight: Flight, entry: CacheEntry, isCollapsed: boolean): Promise<ServedResponse> {
    const { resolveWithin: within, now } = this.#options;
    const { key } = flight.request;
    const stale = (why: 'refreshing' | 'unavailable') =>
      this.#stale(key, entry, this.#store.staleSinceMs(entry, now()), why);
    try {
      const isPatient = entry.freshUntil !== 'slot';
      const landed = await (isPatient ? flight.response : within(flight.response, REVALIDATE_TIMEOUT_MS));
      // A purged entry must never be served.
      const isPurged = this.#store.get(key) === undefined;
      return landed === undefined && !isPurged
        ? stale('refreshing')
        : await this.#landed(flight, landed ?? (await flight.response), 'stale', isCollapsed);
    } catch (error) {
      if (!hasCode(error, 'unavailable') || this.#store.get(key) === undefined) throw error;
      return stale('unavailable');
    }
  }

  /** A response that was just fetched. A large body goes to its first caller; others fetch it again. */
  async #fresh(
    request: CacheRequest,
    { body, headers }: OriginResponse,
    { outcome, ...rest }: Pick<ServedResponse, 'maxAgeSeconds' | 'status'> & { outcome: CacheOutcome },
  ): Promise<ServedResponse> {
    const { key, operation } = request;
    if (!(body instanceof LargeBody)) {
      this.#countServed(operation, outcome);
      return { key, body, headers, ageSeconds: undefined, ...rest };
    }
    const stream = body.claim();
    if (stream === undefined) return this.#bypass(request, 'uri-miss');
    return { key, body: stream, headers, ageSeconds: undefined, ...rest, status: `${CACHE}; fwd=uri-miss` };
  }

  #hit(key: string, entry: CacheEntry, nowMs: number): ServedResponse<EncodedBodies> {
    entry.wasUsed = true;
    this.#countServed(entry.operation, 'hit');
    const { body, headers, nextMs } = entry;
    const maxAgeSeconds = this.#maxAgeSeconds(entry.freshUntil, nextMs, nowMs);
    return { key, body, headers, maxAgeSeconds, ageSeconds: 0, status: HIT };
  }

  #stale(
    key: string,
    entry: CacheEntry,
    staleSinceMs: number | undefined,
    why: 'refreshing' | 'unavailable',
  ): ServedResponse<EncodedBodies> {
    entry.wasUsed = true;
    const nowMs = this.#options.now();
    const ageSeconds = Math.max(0, Math.floor((nowMs - (staleSinceMs ?? nowMs)) / 1000));
    this.#countServed(entry.operation, 'stale');
    const { body, headers } = entry;
    const maxAgeSeconds = entry.freshUntil === 'slot' ? 0 : undefined;
    // `ttl`: seconds since it became stale.
    return { key, body, headers, maxAgeSeconds, ageSeconds, status: `${HIT}; ttl=-${ageSeconds}; detail=${why}` };
  }

  /** Undefined for responses that may change before the next slot. */
  #maxAgeSeconds(until: CacheEntry['freshUntil'], nextMs: number, nowMs: number): number | undefined {
    if (until !== 'slot') return undefined;
    const seconds = secondsUntil(nextMs, nowMs);
    return this.#store.isConnected() ? seconds : Math.min(seconds, OVERDUE_SECONDS);
  }

  #countServed(operation: string, outcome: CacheOutcome): void {
    const counts = this.#served.get(operation) ?? new Map<CacheOutcome, number>();
    if (counts.size === 0) this.#served.set(operation, counts);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
}

/** Whether it goes by slots and became stale so recently that it is served during the fetch. */
function isOfLastSlot({ freshUntil: until }: CacheEntry, staleSinceMs = Infinity, nowMs: number): boolean {
  return until === 'slot' && nowMs - staleSinceMs <= STALE_WHILE_REVALIDATE_MS;
}

function hasRecentFailure({ failedMs }: CacheEntry, nowMs: number): boolean {
  return failedMs !== undefined && nowMs >= failedMs && nowMs - failedMs < RETRY_MS;
}
