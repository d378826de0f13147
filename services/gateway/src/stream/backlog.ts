import { withoutUser, type StreamFrame } from './stream-frame.ts';

export interface BacklogLimits {
  readonly minEvents: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** Position of a reader: at the frame of this number, after its first `skip` events. */
export interface Cursor {
  readonly frame: number;
  readonly skip: number;
}

/**
 * The newest frames of the stream in log order, numbered consecutively. New frames evict the oldest ones.
 */
export class Backlog {
  readonly #limits: BacklogLimits;
  readonly #frames = new Map<number, StreamFrame>();
  #since: number;
  #first = 0;
  #end = 0;
  #events = 0;
  #bytes = 0;

  /** @param since log offset after which all frames will be appended */
  constructor(since: number, limits: BacklogLimits) {
    this.#since = since;
    this.#limits = limits;
  }

  get first(): number {
    return this.#first;
  }

  get end(): number {
    return this.#end;
  }

  /** Whether older frames were evicted. */
  get isFull(): boolean {
    return this.#first > 0;
  }

  /** Whether the backlog has its minimum of events without older frames. */
  get hasMinimum(): boolean {
    return this.isFull || this.#events > this.#limits.minEvents;
  }

  /** Undefined for an evicted frame and for a future one. */
  frame(number: number): StreamFrame | undefined {
    return this.#frames.get(number);
  }

  append(frame: StreamFrame): void {
    this.#frames.set(this.#end, frame);
    this.#count(frame, 1);
    this.#end += 1;
    while (this.#isOverLimit() && this.#first < this.#end - 1) this.#dropOldest();
  }

  /** Returns the cursor after a log offset and `skip` events of the next fact; undefined if frames may be missing. */
  cursorAfter(offset: number, skip: number): Cursor | undefined {
    if (offset < this.#since) return undefined;
    let [frame, end] = [this.#first, this.#end];
    while (frame < end) {
      const middle = Math.floor((frame + end) / 2);
      if ((this.#frames.get(middle)?.offset ?? 0) > offset) end = middle;
      else frame = middle + 1;
    }
    return { frame, skip };
  }

  /** Removes the events that name a user. Frames remain, possibly without events. */
  removeUser(usernameKey: string): void {
    for (const [number, frame] of this.#frames) {
      const left = withoutUser(frame, usernameKey);
      if (left === frame) continue;
      this.#count(frame, -1);
      this.#count(left, 1);
      this.#frames.set(number, left);
    }
  }

  #dropOldest(): void {
    const frame = this.#frames.get(this.#first);
    this.#frames.delete(this.#first);
    this.#first += 1;
    if (frame === undefined) return;
    this.#count(frame, -1);
    this.#since = frame.offset;
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
