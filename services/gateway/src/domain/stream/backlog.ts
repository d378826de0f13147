import type { EventId } from './event-id.ts';
import { withoutPerson, type StreamFrame } from './stream-frame.ts';

/** How much of the stream is kept. */
export interface BacklogLimits {
  /** So many of the newest events stay whatever their size. */
  readonly minEvents: number;
  /** The oldest go beyond either. */
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** Where a reader goes on: at a frame, and so many events into it. */
export interface Cursor {
  readonly at: number;
  readonly had: number;
}

/**
 * The newest frames of the stream in the log's order. A frame has a number for good, one more than the frame before it; the
 * oldest leave as new ones come, and older ones can be put in front as long as there is room.
 */
export class Backlog {
  readonly #limits: BacklogLimits;
  readonly #frames = new Map<number, StreamFrame>();
  /** The frame that comes after a position of the log, for the positions beside frames and for anchors. */
  readonly #numberAfter = new Map<string, number>();
  #first = 0;
  #end = 0;
  #events = 0;
  #bytes = 0;
  #isFull = false;
  /** The log's position behind the frame that left last. */
  #behindLeft: string | undefined;

  constructor(limits: BacklogLimits) {
    this.#limits = limits;
  }

  /** The number of the oldest frame. */
  get first(): number {
    return this.#first;
  }

  /** The number that the next frame will have. */
  get end(): number {
    return this.#end;
  }

  /** Whether there is no room for older frames. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Undefined for one that has left, and for what isn't there yet. */
  frame(number: number): StreamFrame | undefined {
    return this.#frames.get(number);
  }

  append(frame: StreamFrame): void {
    this.#put(this.#end, frame);
    this.#end += 1;
    while (this.#isOverLimit() && this.#first < this.#end - 1) this.#dropOldest();
  }

  /**
   * Puts frames in front, the newest of them first.
   *
   * @returns whether there was room for all of them, and for those that had left where they come from
   */
  prepend(older: Backlog): boolean {
    this.#isFull ||= older.isFull;
    for (let number = older.end - 1; number >= older.first; number -= 1) {
      const frame = older.frame(number);
      if (frame === undefined) continue;
      this.#first -= 1;
      this.#put(this.#first, frame);
      if (!this.#isOverLimit()) continue;
      this.#dropOldest();
      break;
    }
    return !this.#isFull;
  }

  /** Whoever has had what comes before a position of the log goes on with the next frame. */
  anchor(position: string): void {
    this.#numberAfter.set(position, this.#end);
  }

  /** Where whoever has had an event goes on; undefined where that isn't known here. */
  cursorBehind({ position, had }: EventId): Cursor | undefined {
    const at = this.#numberAfter.get(position);
    return at === undefined || at < this.#first ? undefined : { at, had };
  }

  /** The frame that ends at a position of the log. */
  numberEndingAt(position: string): number | undefined {
    const number = (this.#numberAfter.get(position) ?? Number.NaN) - 1;
    return this.#frames.get(number)?.after === position ? number : undefined;
  }

  /** Takes out what names a person. Frames stay where they are, with nothing to say if need be. */
  forget(usernameKey: string): void {
    for (const [number, frame] of this.#frames) {
      const left = withoutPerson(frame, usernameKey);
      if (left === frame) continue;
      this.#count(frame, -1);
      this.#count(left, 1);
      this.#frames.set(number, left);
    }
  }

  #put(number: number, frame: StreamFrame): void {
    this.#frames.set(number, frame);
    this.#numberAfter.set(frame.before, number);
    this.#numberAfter.set(frame.after, number + 1);
    this.#count(frame, 1);
  }

  #dropOldest(): void {
    this.#isFull = true;
    const frame = this.#frames.get(this.#first);
    this.#frames.delete(this.#first);
    this.#first += 1;
    if (frame === undefined) return;
    this.#count(frame, -1);
    this.#numberAfter.delete(frame.before);
    // Who has had the last frame that left has missed nothing.
    if (this.#behindLeft !== undefined) this.#numberAfter.delete(this.#behindLeft);
    this.#behindLeft = frame.after;
  }

  #count({ marks, bytes }: StreamFrame, by: 1 | -1): void {
    this.#events += by * marks.length;
    this.#bytes += by * bytes.length;
  }

  #isOverLimit(): boolean {
    const { minEvents, maxEvents, maxBytes } = this.#limits;
    const oldest = this.#frames.get(this.#first)?.marks.length ?? 0;
    if (this.#events - oldest < minEvents) return false;
    return this.#events > maxEvents || this.#bytes > maxBytes;
  }
}
