import { hasCode } from '@lobbystats/contracts/errors';
import { LargeBody, type CacheRequest, type Flight, type OriginResponse } from './cache-request.ts';
import { ENTRY_BYTES_MAX, type CacheStore } from './cache-store.ts';
import { createPrecompressor, type Compress } from './encoded-bodies.ts';

interface FlightOptions {
  readonly now: () => number;
  readonly freshness: { readonly nextMs: number };
  readonly compress: Compress;
}

/** Runs one fetch for each key at a time, shared by all concurrent requests, and stores its response. */
export class ResponseFlights {
  readonly #current = new Map<string, Flight>();
  /** The flight queued after a running one: its requests came before any newer flight of the key. */
  readonly #queued = new WeakMap<Flight, Promise<Flight>>();
  readonly #store: CacheStore;
  readonly #options: FlightOptions;
  readonly #precompress: ReturnType<typeof createPrecompressor>;

  constructor(store: CacheStore, options: FlightOptions) {
    this.#store = store;
    this.#options = options;
    this.#precompress = createPrecompressor(options.compress);
  }

  current(key: string): Flight | undefined {
    return this.#current.get(key);
  }

  begin(request: CacheRequest): Flight {
    const landing = Promise.withResolvers<OriginResponse>();
    const { nextMs } = this.#options.freshness;
    const flight: Flight = { token: {}, request, nextMs, isInvalidated: false, response: landing.promise };
    // Awaiters see the rejection.
    flight.response.catch(() => undefined);
    this.#current.set(request.key, flight);
    void this.#run(flight, landing);
    return flight;
  }

  /** Returns a flight that begins after this call, so that it includes earlier writes. Waits for a running one. */
  async next(request: CacheRequest): Promise<Flight> {
    const running = this.#current.get(request.key);
    if (running === undefined) return this.begin(request);
    const queued = this.#queued.get(running) ?? this.#after(running, request);
    this.#queued.set(running, queued);
    return queued;
  }

  /** Invalidates running flights with one of these tags, or all: later requests don't join them. */
  invalidate(tags?: readonly string[]): void {
    for (const flight of this.#current.values()) {
      const { key, tags: own } = flight.request;
      if (tags !== undefined && !own.some((tag) => tags.includes(tag))) continue;
      flight.isInvalidated = true;
      this.#current.delete(key);
    }
  }

  async #after(running: Flight, request: CacheRequest): Promise<Flight> {
    await running.response.catch(() => undefined);
    return this.#current.get(request.key) ?? this.begin(request);
  }

  /** Asks the upstream, compresses, and stores the response; an unchanged body is the stored one. */
  async #run(flight: Flight, landing: PromiseWithResolvers<OriginResponse>): Promise<void> {
    const { key, policy, encoding = 'identity', fetch } = flight.request;
    try {
      const { body: fetched, ...rest } = await fetch();
      if (fetched instanceof LargeBody) {
        landing.resolve({ body: fetched, ...rest });
        return;
      }
      const before = this.#store.get(key)?.body;
      const body = before?.identity.tag === fetched.identity.tag ? before : fetched;
      if (body !== before) {
        if (before !== undefined) await this.#precompress(body, before.codings());
        await body.encode(encoding, this.#options.compress);
      }
      const response = { body, ...rest };
      const isStorable = policy !== 'coalesce' && !flight.isInvalidated && rest.isStorable !== false;
      if (isStorable && body.identity.bytes.length <= ENTRY_BYTES_MAX) this.#store.put(flight, response);
      landing.resolve(response);
    } catch (error) {
      this.#noteFailure(flight, error);
      landing.reject(error);
    } finally {
      if (this.#current.get(key) === flight) this.#current.delete(key);
    }
  }

  #noteFailure({ request: { key }, isInvalidated }: Flight, error: unknown): void {
    const entry = this.#store.get(key);
    if (entry === undefined || isInvalidated) return;
    if (hasCode(error, 'unavailable')) entry.failedMs = this.#options.now();
    // The resource no longer exists.
    else if (hasCode(error, 'not-found')) this.#store.delete(key);
  }
}
