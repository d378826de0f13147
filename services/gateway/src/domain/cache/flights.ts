import type { EncodedBodies } from './encoded-bodies.ts';
import { LargeResult } from './large-result.ts';
import type { MadeAnswer, Wanted } from './wanted.ts';

/** An answer that is ready to be given. */
export interface LandedAnswer {
  readonly bodies: EncodedBodies;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer that is being made. */
export interface Flight {
  /** Stands for it where it would be kept in memory with all it holds. */
  readonly token: object;
  readonly wanted: Wanted;
  /** When the next slot was expected as it began, in epoch milliseconds. */
  readonly nextMs: number;
  /** Whether a fact touched it after it had begun: what comes of it may be old. */
  isOutdated: boolean;
  readonly landed: Promise<LandedAnswer | LargeResult>;
}

/** Who is told of flights, before those who wait for them. */
export interface FlightWatch {
  nextMs(): number;
  /** Makes ready what was made, before anybody is given it. */
  prepare(flight: Flight, made: MadeAnswer): Promise<LandedAnswer>;
  landed(flight: Flight, answer: LandedAnswer): void;
  failed(flight: Flight, error: unknown): void;
}

/** What is being made, one flight a key: whoever wants the same shares it. */
export class Flights {
  readonly #current = new Map<string, Flight>();
  /** What follows a flight: those who asked for it were there before any other of its key began. */
  readonly #queued = new WeakMap<Flight, Promise<Flight>>();
  readonly #watch: FlightWatch;

  constructor(watch: FlightWatch) {
    this.#watch = watch;
  }

  /** The flight of a key that nothing has touched since it began. */
  current(key: string): Flight | undefined {
    return this.#current.get(key);
  }

  begin(wanted: Wanted): Flight {
    const landing = Promise.withResolvers<LandedAnswer | LargeResult>();
    const nextMs = this.#watch.nextMs();
    const flight: Flight = { token: {}, wanted, nextMs, isOutdated: false, landed: landing.promise };
    // Who waits hears of a failure; when nobody does, nobody needs to.
    flight.landed.catch(() => undefined);
    this.#current.set(wanted.key, flight);
    void this.#fly(flight, landing);
    return flight;
  }

  /** One that begins after now: what was written before is in it. While another is in the air it waits for that one's end. */
  async next(wanted: Wanted): Promise<Flight> {
    const running = this.#current.get(wanted.key);
    if (running === undefined) return this.begin(wanted);
    const queued = this.#queued.get(running) ?? this.#after(running, wanted);
    this.#queued.set(running, queued);
    return queued;
  }

  /** Takes note of a fact: nobody joins a flight that it touches any more. */
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
