import type { Backlog } from './backlog.ts';
import type { LogPlace } from './event-id.ts';
import { readPast, type PastSource } from './read-past.ts';

/** Places that wait for a reading at once. A reader who comes beyond that may have missed something. */
const WAITING_MAX = 64;
/** Facts that one reading may have to pass, so that no id makes the gateway read a week of the log. */
const FACTS_MAX = 20_000;

/**
 * Fills a backlog from the log's past, as far as readers who come back need it. Readings go one at a time, the newest place
 * first: each makes the next ones shorter, and one that fails answers everybody who would have to read from further back.
 */
export class PastReader {
  readonly #backlog: Backlog;
  readonly #source: PastSource;
  /** Takes what a part of the log says of people who are forgotten, and forgets who is known to be. */
  readonly #forget: (forgotten: ReadonlySet<string>) => void;
  readonly #waiting = new Map<number, { place: LogPlace; done: PromiseWithResolvers<undefined> }>();
  #isReading = false;
  /** The newest offset from which a reading failed since the last fact came. */
  #failedAt = -1;

  constructor(backlog: Backlog, source: PastSource, forget: (forgotten: ReadonlySet<string>) => void) {
    this.#backlog = backlog;
    this.#source = source;
    this.#forget = forget;
  }

  /** A fact has come: the log may be readable again. */
  factCame(): void {
    this.#failedAt = -1;
  }

  /** Resolves when the backlog begins at this place or before it, or when it is clear that it won't. */
  async reach(place: LogPlace): Promise<void> {
    const { offset } = place;
    if (!this.#isWorthReading(offset)) return;
    const { done } = this.#waiting.get(offset) ?? this.#wait(place);
    await done.promise;
  }

  #wait(place: LogPlace) {
    const waiting = { place, done: Promise.withResolvers<undefined>() };
    if (this.#waiting.size >= WAITING_MAX) {
      waiting.done.resolve(undefined);
      return waiting;
    }
    this.#waiting.set(place.offset, waiting);
    if (!this.#isReading) void this.#readAll();
    return waiting;
  }

  #isWorthReading(offset: number): boolean {
    const { since, isFull } = this.#backlog;
    return !isFull && offset < since && offset > this.#failedAt && since - offset <= FACTS_MAX;
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.size > 0) {
      const newest = Math.max(...this.#waiting.keys());
      const place = this.#waiting.get(newest)?.place;
      if (place !== undefined && this.#isWorthReading(newest)) await this.#read(place);
      for (const [offset, { done }] of this.#waiting) {
        if (this.#isWorthReading(offset)) continue;
        this.#waiting.delete(offset);
        done.resolve(undefined);
      }
    }
    this.#isReading = false;
  }

  async #read(place: LogPlace): Promise<void> {
    const past = await readPast(place, this.#backlog, this.#source);
    if (past === undefined) {
      this.#failedAt = place.offset;
      return;
    }
    this.#backlog.prepend(past.frames);
    this.#forget(past.forgotten);
  }
}
