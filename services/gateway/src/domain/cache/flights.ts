import type { EncodedBodies } from './encoded-bodies.ts';
import { LargeResult } from './large-result.ts';
import type { MadeAnswer, Wanted } from './wanted.ts';

export interface LandedAnswer {
  readonly bodies: EncodedBodies;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Flight {
  /** Identifies the flight without keeping it in memory. */
  readonly token: object;
  readonly wanted: Wanted;
  /** Next expected slot when the flight began, in epoch milliseconds. */
  readonly nextMs: number;
  /** A fact invalidated it after it began: its answer may be old. */
  isOutdated: boolean;
  readonly landed: Promise<LandedAnswer | LargeResult>;
}

export interface FlightWatch {
  nextMs(): number;
  prepare(flight: Flight, made: MadeAnswer): Promise<LandedAnswer>;
  landed(flight: Flight, answer: LandedAnswer): void;
  failed(flight: Flight, error: unknown): void;
}

/** Single-flight: one fetch for each key, shared by all who want it. */
export class Flights {
  readonly #current = new Map<string, Flight>();
  /** The flight that follows one: its requesters came before any newer flight of the key. */
  readonly #queued = new WeakMap<Flight, Promise<Flight>>();
  readonly #watch: FlightWatch;

  constructor(watch: FlightWatch) {
    this.#watch = watch;
  }

  current(key: string): Flight | undefined {
    return this.#current.get(key);
  }

  begin(wanted: Wanted): Flight {
    const landing = Promise.withResolvers<LandedAnswer | LargeResult>();
    const nextMs = this.#watch.nextMs();
    const flight: Flight = { token: {}, wanted, nextMs, isOutdated: false, landed: landing.promise };
    // Awaiters see the rejection.
    flight.landed.catch(() => undefined);
    this.#current.set(wanted.key, flight);
    void this.#fly(flight, landing);
    return flight;
  }

  /** A flight that begins after now, so that earlier writes are in it. Waits for a running one. */
  async next(wanted: Wanted): Promise<Flight> {
    const running = this.#current.get(wanted.key);
    if (running === undefined) return this.begin(wanted);
    const queued = this.#queued.get(running) ?? this.#after(running, wanted);
    this.#queued.set(running, queued);
    return queued;
  }

  /** Invalidated flights are not joined any more. */
  outdate(tags: readonly string[]): void {
    const touching = new Set(tags);
    this.outdateIf((flight) => flight.wanted.tags.some((tag) => touching.has(tag)));
  }

  outdateIf(isTouched: (flight: Flight) => boolean): void {
    for (const flight of this.#current.values()) {
      if (!isTouched(flight)) continue;
      flight.isOutdated = true;
      this.#current.delete(flight.wanted.key);
    }
  }

  async #after(running: Flight, wanted: Wanted): Promise<Flight> {
    await running.landed.catch(() => undefined);
    return this.#current.get(wanted.key) ?? this.begin(wanted);
  }

  async #fly(flight: Flight, landing: PromiseWithResolvers<LandedAnswer | LargeResult>): Promise<void> {
    const land = () => {
      if (this.#current.get(flight.wanted.key) === flight) this.#current.delete(flight.wanted.key);
    };
    try {
      const made = await flight.wanted.make();
      const answer = made instanceof LargeResult ? made : await this.#watch.prepare(flight, made);
      land();
      if (!(answer instanceof LargeResult)) this.#watch.landed(flight, answer);
      landing.resolve(answer);
    } catch (error) {
      land();
      this.#watch.failed(flight, error);
      landing.reject(error);
    }
  }
}
