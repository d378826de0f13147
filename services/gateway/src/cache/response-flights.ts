import type { EncodedBodies } from './encoded-bodies.ts';
import { UnsharedResponse } from './unshared-response.ts';
import type { OriginResponse, CacheRequest } from './cache-request.ts';

export interface EncodedResponse {
  readonly bodies: EncodedBodies;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Flight {
  /** Identifies the flight without keeping it in memory. */
  readonly token: object;
  readonly request: CacheRequest;
  /** Next expected slot when the flight began, in epoch milliseconds. */
  readonly nextMs: number;
  /** A fact invalidated it after it began: its response may be stale. */
  isInvalidated: boolean;
  readonly response: Promise<EncodedResponse | UnsharedResponse>;
}

export interface FlightListener {
  nextMs(): number;
  encode(flight: Flight, response: OriginResponse): Promise<EncodedResponse>;
  onFetched(flight: Flight, answer: EncodedResponse): void;
  onFailed(flight: Flight, error: unknown): void;
}

/** Runs one fetch for each key at a time, shared by all concurrent requests. */
export class ResponseFlights {
  readonly #current = new Map<string, Flight>();
  /** The flight queued after a running one: its requests came before any newer flight of the key. */
  readonly #queued = new WeakMap<Flight, Promise<Flight>>();
  readonly #listener: FlightListener;

  constructor(watch: FlightListener) {
    this.#listener = watch;
  }

  current(key: string): Flight | undefined {
    return this.#current.get(key);
  }

  begin(request: CacheRequest): Flight {
    const landing = Promise.withResolvers<EncodedResponse | UnsharedResponse>();
    const nextMs = this.#listener.nextMs();
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

  /** Invalidates running flights with these tags: later requests don't join them. */
  invalidate(tags: readonly string[]): void {
    const touching = new Set(tags);
    this.invalidateWhere((flight) => flight.request.tags.some((tag) => touching.has(tag)));
  }

  invalidateWhere(isTouched: (flight: Flight) => boolean): void {
    for (const flight of this.#current.values()) {
      if (!isTouched(flight)) continue;
      flight.isInvalidated = true;
      this.#current.delete(flight.request.key);
    }
  }

  async #after(running: Flight, request: CacheRequest): Promise<Flight> {
    await running.response.catch(() => undefined);
    return this.#current.get(request.key) ?? this.begin(request);
  }

  async #run(flight: Flight, landing: PromiseWithResolvers<EncodedResponse | UnsharedResponse>): Promise<void> {
    const land = () => {
      if (this.#current.get(flight.request.key) === flight) this.#current.delete(flight.request.key);
    };
    try {
      const response = await flight.request.fetch();
      const answer = response instanceof UnsharedResponse ? response : await this.#listener.encode(flight, response);
      land();
      if (!(answer instanceof UnsharedResponse)) this.#listener.onFetched(flight, answer);
      landing.resolve(answer);
    } catch (error) {
      land();
      this.#listener.onFailed(flight, error);
      landing.reject(error);
    }
  }
}
