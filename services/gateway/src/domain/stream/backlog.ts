import { withoutPerson, type StreamFrame } from './stream-frame.ts';

export interface BacklogLimits {
  readonly minEvents: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** Where a reader goes on: at the frame of this number, after its first `skip` events. */
export interface Cursor {
  readonly frame: number;
  readonly skip: number;
}

/**
 * The newest frames of the stream in the log's order. A frame keeps its number, one more than that of the frame before it.
 * The oldest leave as new ones come.
 */
export class Backlog {
  readonly #limits: BacklogLimits;
  readonly #frames = new Map<number, StreamFrame>();
  #since: number;
  #first = 0;
  #end = 0;
  #events = 0;
  #bytes = 0;

  /** @param since the log's offset after which all frames will be appended */
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

  /** Whether older frames would add nothing to the events that are kept at least. */
  get hasMinimum(): boolean {
    return this.#first > 0 || this.#events > this.#limits.minEvents;
  }

  /** Undefined for one that has left, and for one that has not come yet. */
  frame(number: number): StreamFrame | undefined {
    return this.#frames.get(number);
  }

  append(frame: StreamFrame): void {
    this.#frames.set(this.#end, frame);
    this.#count(frame, 1);
    this.#end += 1;
    while (this.#isOverLimit() && this.#first < this.#end - 1) this.#dropOldest();
  }

  /** The cursor after an offset of the log and `skip` events of the next fact; undefined where frames may be missing. */
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

  /** Removes the events that name a person. Their frames stay, without events if need be. */
  forget(usernameKey: string): void {
    for (const [number, frame] of this.#frames) {
      const left = withoutPerson(frame, usernameKey);
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
