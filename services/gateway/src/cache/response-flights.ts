import { LargeBody, type CacheRequest, type OriginResponse } from './cache-request.ts';
import type { EncodedBodies } from './encoded-bodies.ts';

export interface Flight {
  /** Identifies the flight without keeping it in memory. */
  readonly token: object;
  readonly request: CacheRequest;
  /** Next expected slot when the flight began, in epoch milliseconds. */
  readonly nextMs: number;
  /** A fact invalidated it after it began: its response may be stale. */
  isInvalidated: boolean;
  readonly response: Promise<OriginResponse>;
}

export interface FlightListener {
  nextMs(): number;
  precompress(flight: Flight, body: EncodedBodies): Promise<EncodedBodies>;
  onFetched(flight: Flight, response: OriginResponse<EncodedBodies>): void;
  onFailed(flight: Flight, error: unknown): void;
}

/** Runs one fetch for each key at a time, shared by all concurrent requests. */
export class ResponseFlights {
  readonly #current = new Map<string, Flight>();
  /** The flight queued after a running one: its requests came before any newer flight of the key. */
  readonly #queued = new WeakMap<Flight, Promise<Flight>>();
  readonly #listener: FlightListener;

  constructor(listener: FlightListener) {
    this.#listener = listener;
  }

  current(key: string): Flight | undefined {
    return this.#current.get(key);
  }

  begin(request: CacheRequest): Flight {
    const landing = Promise.withResolvers<OriginResponse>();
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

  async #run(flight: Flight, landing: PromiseWithResolvers<OriginResponse>): Promise<void> {
    const land = () => {
      if (this.#current.get(flight.request.key) === flight) this.#current.delete(flight.request.key);
    };
    try {
      const { body, ...rest } = await flight.request.fetch();
      const response = {
        body: body instanceof LargeBody ? body : await this.#listener.precompress(flight, body),
        ...rest,
      };
      land();
      if (!(response.body instanceof LargeBody)) this.#listener.onFetched(flight, { ...response, body: response.body });
      landing.resolve(response);
    } catch (error) {
      land();
      this.#listener.onFailed(flight, error);
      landing.reject(error);
    }
  }
}
