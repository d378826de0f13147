import { Backlog, type Cursor } from './backlog.ts';
import { parseEventId, type EventId } from './event-id.ts';
import { explore, type Explorer } from './exploration.ts';
import { FactFrames, forgottenBy } from './fact-frames.ts';
import type { LoggedFact } from './fact-history.ts';
import type { StreamFrame } from './stream-frame.ts';

export interface StreamLogOptions extends Explorer {
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>;
}

/** Where somebody who comes back goes on, and whether the log had to be read for it. */
export interface Resumption {
  readonly cursor: Cursor;
  readonly from: 'kept' | 'read';
}

/** How long another gateway, whose id it is, may be ahead of this one, in milliseconds. */
const AHEAD_MS = 1000;
/** Positions that are looked for at once; whoever comes beyond that may have missed something. */
const SEARCHES_MAX = 64;

/**
 * What is known of the stream: everything behind a position of the log, its edge, up to the newest fact. The edge moves back
 * as somebody comes who has been away for longer, as far as there is room.
 */
export class StreamLog {
  readonly backlog: Backlog;
  readonly #options: StreamLogOptions;
  readonly #frames: FactFrames;
  readonly #forgotten = new Set<string>();
  readonly #searches = new Map<string, Search>();
  /** One exploration after the other: each leaves less to the next. */
  #turn: Promise<unknown> = Promise.resolve();
  #edge: string;
  #last: string;

  /** @param from the log's position behind which every fact will come */
  constructor(from: string, options: StreamLogOptions) {
    this.#options = options;
    this.#edge = from;
    this.#last = from;
    this.#frames = new FactFrames(from, options.titles);
    this.backlog = new Backlog(options.limits);
    this.backlog.anchor(from);
  }

  /** The log's position behind the newest fact. */
  get last(): string {
    return this.#last;
  }

  /** Takes the next fact; gives the frame that it brought, if any. */
  append(fact: LoggedFact): StreamFrame | undefined {
    this.#last = fact.position;
    const forgotten = forgottenBy(fact.message);
    if (forgotten !== undefined) {
      this.#forgotten.add(forgotten);
      this.backlog.forget(forgotten);
    }
    const frame = this.#frames.next(fact);
    if (frame !== undefined) this.backlog.append(frame);
    this.#searches.get(fact.position)?.arrived();
    return frame;
  }

  /** Where whoever has had an event goes on; undefined where they may have missed some. */
  async resume(text: string): Promise<Resumption | undefined> {
    const id = parseEventId(text);
    if (id === undefined) return undefined;
    const kept = this.#cursorBehind(id);
    if (kept !== undefined) return { cursor: kept, from: 'kept' };
    const at = await this.#search(id.position);
    const cursor = this.#cursorBehind(id) ?? (at === undefined ? undefined : { at, had: id.had });
    return cursor === undefined || cursor.at < this.backlog.first ? undefined : { cursor, from: 'read' };
  }

  #cursorBehind(id: EventId): Cursor | undefined {
    if (id.position === this.#last) return { at: this.backlog.end, had: id.had };
    return this.backlog.cursorBehind(id);
  }

  /** The number of the frame behind a position; undefined where the log has it no more, or when the fact there has come. */
  #search(from: string): Promise<number | undefined> {
    const underWay = this.#searches.get(from);
    if (underWay !== undefined) return underWay.found;
    if (this.#searches.size >= SEARCHES_MAX) return Promise.resolve(undefined);
    const arrival = Promise.withResolvers<undefined>();
    const { pause } = this.#options;
    // Where there is no room for the past, a gateway that is ahead may have said what isn't known here yet.
    const ahead = () => (this.backlog.isFull ? pause(AHEAD_MS).then(() => undefined) : undefined);
    const search = this.#exploreInTurn(from).then((at) => at ?? ahead());
    const found = Promise.race([arrival.promise, search]).finally(() => this.#searches.delete(from));
    this.#searches.set(from, { found, arrived: () => arrival.resolve(undefined) });
    return found;
  }

  #exploreInTurn(from: string): Promise<number | undefined> {
    const turn = this.#turn.then(() => this.#explore(from));
    this.#turn = turn;
    return turn;
  }

  async #explore(from: string): Promise<number | undefined> {
    const { backlog } = this;
    const known = this.#cursorBehind({ position: from, had: 0 });
    if (known !== undefined) return known.at;
    const found = await explore(from, this.#options, { backlog, edge: () => this.#edge, last: () => this.#last });
    if (found === undefined) return undefined;
    const { older, at = backlog.first } = found;
    if (older.first === older.end && found.at !== undefined) return at;
    // The fact at the edge may be one that can't be read: then it met with the first frame. Anything else has come meanwhile,
    // and may have taken the room or be what was found.
    const newest = older.frame(older.end - 1)?.after;
    const isKnown = newest !== undefined && backlog.numberEndingAt(newest) !== undefined;
    if (backlog.isFull || isKnown || at !== backlog.first) return undefined;
    const isWhole = backlog.prepend(older);
    this.#edge = from;
    for (const key of this.#forgotten) backlog.forget(key);
    return isWhole ? backlog.first : undefined;
  }
}

/** A position that is looked for. */
interface Search {
  readonly found: Promise<number | undefined>;
  /** The fact before it has come. */
  readonly arrived: () => void;
}
