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
  #since: number;
  #first = 0;
  #end = 0;
  #events = 0;
  #bytes = 0;
  #isFull = false;

  /** @param since the log's offset behind which every frame will be put in */
  constructor(since: number, limits: BacklogLimits) {
    this.#since = since;
    this.#limits = limits;
  }

  /** The log's offset behind which all frames are here. */
  get since(): number {
    return this.#since;
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

  /** Puts in front what comes right before, the newest frames first, as far as there is room. */
  prepend(older: Backlog): void {
    for (let number = older.end - 1; number >= older.first; number -= 1) {
      const frame = older.frame(number);
      if (frame === undefined) continue;
      this.#first -= 1;
      this.#put(this.#first, frame);
      if (!this.#isOverLimit()) continue;
      this.#dropOldest();
      return;
    }
    this.#since = older.since;
    this.#isFull ||= older.isFull;
  }

  /** Where a reader goes on who has had everything up to an offset of the log; undefined where frames may be missing. */
  cursorBehind(offset: number, had: number): Cursor | undefined {
    if (offset < this.#since) return undefined;
    let [at, end] = [this.#first, this.#end];
    while (at < end) {
      const middle = Math.floor((at + end) / 2);
      if ((this.#frames.get(middle)?.offset ?? 0) > offset) end = middle;
      else at = middle + 1;
    }
    return { at, had };
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
    this.#count(frame, 1);
  }

  #dropOldest(): void {
    this.#isFull = true;
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
