import { userErased, usernameKey, type Message } from '@lobbystats/contracts';
import { Backlog, type BacklogLimits, type Cursor } from './backlog.ts';
import { type StreamFrame, parseEventId, parsePosition, type EventId, frameOf } from './stream-frame.ts';
import { type TitleNames, topicEventsOf } from './topic-events.ts';

export interface StreamLogOptions {
  limits: BacklogLimits;
  titles: TitleNames;
  pause: (ms: number) => Promise<void>;
}

/** How far another gateway that issued an ID may be ahead of this one, in milliseconds and in facts. */
const AHEAD_MS = 1000;
const AHEAD_FACTS = 1000;
const AHEAD_MAX = 64;
/** Number of the newest facts whose IDs are remembered. */
const REMEMBERED_MAX = 4096;

/** One uninterrupted run of the log's facts as a backlog of stream frames. */
export class StreamLog {
  readonly backlog: Backlog;
  readonly #pause: StreamLogOptions['pause'];
  readonly #titles: TitleNames;
  readonly #published = new RecentIds();
  readonly #ahead = new Map<number, PromiseWithResolvers<undefined>>();
  readonly #logId: string;
  #end: string;
  #endOffset: number;

  /**
   * @param from log position after which every fact will be appended
   * @throws RangeError when it is not a log position
   */
  constructor(from: string, { limits, titles, pause }: StreamLogOptions) {
    const { logId, offset } = parsePosition(from);
    this.#logId = logId;
    this.#end = from;
    this.#endOffset = offset;
    this.#pause = pause;
    this.#titles = titles;
    this.backlog = new Backlog(offset, limits);
  }

  get end(): string {
    return this.#end;
  }

  /** Moves the end past facts that yield no event. */
  passTo(position: string): void {
    this.#end = position;
    this.#endOffset = parsePosition(position).offset;
  }

  append({ position, message }: LoggedFact): StreamFrame | undefined {
    const erased = erasedUser(message);
    if (erased !== undefined) this.backlog.removeUser(erased);
    const events = topicEventsOf(message, this.#titles);
    const isNew = events !== undefined && this.#published.add(message.id);
    const frame = isNew ? frameOf({ before: this.#end, after: position }, events) : undefined;
    this.#end = position;
    this.#endOffset = frame?.offset ?? parsePosition(position).offset;
    if (frame !== undefined) this.backlog.append(frame);
    for (const [offset, { resolve }] of this.#ahead) if (offset <= this.#endOffset) resolve(undefined);
    return frame;
  }

  /** Returns the cursor after the event with this ID; undefined if events may be missing. */
  async resume(eventId: string): Promise<Cursor | undefined> {
    const id = parseEventId(eventId);
    if (id?.logId !== this.#logId) return undefined;
    if (id.offset > this.#endOffset) await this.#arrival(id.offset);
    return this.#cursorAfter(id);
  }

  #cursorAfter({ offset, skip }: EventId): Cursor | undefined {
    return offset > this.#endOffset ? undefined : this.backlog.cursorAfter(offset, skip);
  }

  /** Resolves when the fact with this offset has arrived, or after a timeout. */
  async #arrival(offset: number): Promise<void> {
    const pending = this.#ahead.get(offset);
    if (pending !== undefined) return pending.promise;
    if (offset - this.#endOffset > AHEAD_FACTS || this.#ahead.size >= AHEAD_MAX) return undefined;
    const arrival = Promise.withResolvers<undefined>();
    this.#ahead.set(offset, arrival);
    void this.#pause(AHEAD_MS).then(() => arrival.resolve(undefined));
    await arrival.promise;
    this.#ahead.delete(offset);
    return undefined;
  }
}

export interface LoggedFact {
  readonly position: string;
  readonly message: Message;
}

/** The key of the user whose data a fact erases. */
function erasedUser({ type, data }: Message): string | undefined {
  return type === userErased.key ? usernameKey(userErased.data.parse(data).username) : undefined;
}

/** IDs of facts. A service that was killed before its acknowledgement publishes the same facts again. */
class RecentIds {
  readonly #ids = new Set<string>();

  /** Returns false if it is there already. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > REMEMBERED_MAX && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }
}
