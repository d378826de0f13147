import { Backlog, type BacklogLimits, type Cursor } from './backlog.ts';
import { parseEventId, parsePosition, type EventId } from './event-id.ts';
import { FactFrames, forgottenBy, type LoggedFact } from './fact-frames.ts';
import type { StreamFrame } from './stream-frame.ts';
import type { TitleNames } from './topic-events.ts';

export interface StreamLogOptions {
  limits: BacklogLimits;
  titles: TitleNames;
  pause: (ms: number) => Promise<void>;
}

/** How far another gateway that gave an ID may be ahead of this one: milliseconds, and facts. */
const AHEAD_MS = 1000;
const AHEAD_FACTS = 1000;
const AHEAD_MAX = 64;

/** One uninterrupted run of the log's facts as a backlog of stream frames. */
export class StreamLog {
  readonly backlog: Backlog;
  readonly #pause: StreamLogOptions['pause'];
  readonly #frames: FactFrames;
  readonly #ahead = new Map<number, PromiseWithResolvers<undefined>>();
  readonly #logId: string;
  #end: string;
  #endOffset: number;

  /**
   * @param from the log's position after which every fact will be appended
   * @throws RangeError when it is no position of a log
   */
  constructor(from: string, { limits, titles, pause }: StreamLogOptions) {
    const { logId, offset } = parsePosition(from);
    this.#logId = logId;
    this.#end = from;
    this.#endOffset = offset;
    this.#pause = pause;
    this.#frames = new FactFrames(from, titles);
    this.backlog = new Backlog(offset, limits);
  }

  get end(): string {
    return this.#end;
  }

  append(fact: LoggedFact): StreamFrame | undefined {
    this.#end = fact.position;
    this.#endOffset = parsePosition(fact.position).offset;
    const forgotten = forgottenBy(fact.message);
    if (forgotten !== undefined) this.backlog.forget(forgotten);
    const frame = this.#frames.next(fact);
    if (frame !== undefined) this.backlog.append(frame);
    for (const [offset, { resolve }] of this.#ahead) if (offset <= this.#endOffset) resolve(undefined);
    return frame;
  }

  /** The cursor after the event of an ID; undefined where events may be missing. */
  async resume(eventId: string): Promise<Cursor | undefined> {
    const id = parseEventId(eventId);
    if (id?.logId !== this.#logId) return undefined;
    if (id.offset > this.#endOffset) await this.#arrival(id.offset);
    return this.#cursorAfter(id);
  }

  #cursorAfter({ offset, skip }: EventId): Cursor | undefined {
    return offset > this.#endOffset ? undefined : this.backlog.cursorAfter(offset, skip);
  }

  /** Resolves when the fact of this offset has come, or after a moment. */
  async #arrival(offset: number): Promise<void> {
    const underWay = this.#ahead.get(offset);
    if (underWay !== undefined) return underWay.promise;
    if (offset - this.#endOffset > AHEAD_FACTS || this.#ahead.size >= AHEAD_MAX) return undefined;
    const arrival = Promise.withResolvers<undefined>();
    this.#ahead.set(offset, arrival);
    void this.#pause(AHEAD_MS).then(() => arrival.resolve(undefined));
    await arrival.promise;
    this.#ahead.delete(offset);
    return undefined;
  }
}
