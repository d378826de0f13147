import { Backlog, type Cursor } from './backlog.ts';
import { parseEventId, parsePosition, type EventId } from './event-id.ts';
import { FactFrames, forgottenBy } from './fact-frames.ts';
import type { LoggedFact } from './fact-history.ts';
import { PastReader } from './past-reader.ts';
import type { PastSource } from './read-past.ts';
import type { StreamFrame } from './stream-frame.ts';

export interface StreamLogOptions extends PastSource {
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>;
}

/** Where somebody who comes back goes on, and whether they had to wait for it. */
export interface Resumption {
  readonly cursor: Cursor;
  readonly from: 'kept' | 'read';
}

/** How far another gateway, whose id it is, may be ahead of this one: milliseconds, and facts. */
const AHEAD_MS = 1000;
const AHEAD_FACTS = 1000;
/** Places ahead that are waited for at once. A reader who comes beyond that may have missed something. */
const AHEAD_MAX = 64;

/**
 * What is known of the stream: everything behind an offset of the log up to the newest fact. It begins earlier as somebody
 * comes who has been away for longer, as far as there is room.
 */
export class StreamLog {
  readonly backlog: Backlog;
  readonly #pause: StreamLogOptions['pause'];
  readonly #frames: FactFrames;
  readonly #past: PastReader;
  readonly #forgotten = new Set<string>();
  readonly #ahead = new Map<number, PromiseWithResolvers<undefined>>();
  readonly #log: string;
  #last: string;
  #lastOffset: number;

  /**
   * @param from the log's position behind which every fact will come
   * @throws RangeError when it is no position of a log
   */
  constructor(from: string, options: StreamLogOptions) {
    const { log, offset } = parsePosition(from);
    this.#log = log;
    this.#last = from;
    this.#lastOffset = offset;
    this.#pause = options.pause;
    this.#frames = new FactFrames(from, options.titles);
    this.backlog = new Backlog(offset, options.limits);
    this.#past = new PastReader(this.backlog, options, (forgotten) => {
      for (const key of forgotten) this.#forgotten.add(key);
      for (const key of this.#forgotten) this.backlog.forget(key);
    });
  }

  /** The log's position behind the newest fact. */
  get last(): string {
    return this.#last;
  }

  /** Takes the next fact; gives the frame that it brought, if any. */
  append(fact: LoggedFact): StreamFrame | undefined {
    this.#last = fact.position;
    this.#lastOffset = parsePosition(fact.position).offset;
    const forgotten = forgottenBy(fact.message);
    if (forgotten !== undefined) {
      this.#forgotten.add(forgotten);
      this.backlog.forget(forgotten);
    }
    const frame = this.#frames.next(fact);
    if (frame !== undefined) this.backlog.append(frame);
    this.#past.factCame();
    for (const [offset, { resolve }] of this.#ahead) if (offset <= this.#lastOffset) resolve(undefined);
    return frame;
  }

  /** Where whoever has had an event goes on; undefined where they may have missed some. */
  async resume(text: string): Promise<Resumption | undefined> {
    const id = parseEventId(text);
    if (id?.log !== this.#log) return undefined;
    const kept = this.#cursorBehind(id);
    if (kept !== undefined) return { cursor: kept, from: 'kept' };
    await (id.offset > this.#lastOffset ? this.#arrival(id.offset) : this.#past.reach(id));
    const cursor = this.#cursorBehind(id);
    return cursor && { cursor, from: 'read' };
  }

  #cursorBehind({ offset, had }: EventId): Cursor | undefined {
    return offset > this.#lastOffset ? undefined : this.backlog.cursorBehind(offset, had);
  }

  /** Resolves when the fact of this offset has come, or after a moment. */
  async #arrival(offset: number): Promise<void> {
    const underWay = this.#ahead.get(offset);
    if (underWay !== undefined) return underWay.promise;
    if (offset - this.#lastOffset > AHEAD_FACTS || this.#ahead.size >= AHEAD_MAX) return undefined;
    const arrival = Promise.withResolvers<undefined>();
    this.#ahead.set(offset, arrival);
    void this.#pause(AHEAD_MS).then(() => arrival.resolve(undefined));
    await arrival.promise;
    this.#ahead.delete(offset);
    return undefined;
  }
}
