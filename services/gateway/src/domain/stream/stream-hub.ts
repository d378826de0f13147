import { STREAM_HEARTBEAT_SECONDS, type StreamTopic } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { LoggedFact } from './fact-history.ts';
import { StreamLog, type Resumption, type StreamLogOptions } from './stream-log.ts';
import { placeAt, StreamReader, type StreamPlace, type StreamSink } from './stream-reader.ts';

/** What is told of the stream's work. */
export interface StreamWatch {
  /** So many read now. */
  reading(readers: number): void;
  /** A fact has brought events. */
  brought(topic: StreamTopic, events: number): void;
  /** Somebody came back: whether they go on where they were, and whether the log was read for it. */
  resumed(result: Resumption['from'] | 'reset'): void;
  /** A reader was dropped: it was too slow. */
  dropped(): void;
}

export interface StreamHubOptions extends StreamLogOptions {
  watch: StreamWatch;
  /** Does something when what waits has had its turn. */
  later: (work: () => void) => void;
  /** How long a reader shall wait before it comes back, in milliseconds: not all of them at once. */
  retryMs: () => number;
}

/** What somebody wants of the stream. */
export interface StreamWish {
  readonly topics: readonly StreamTopic[];
  /** The id of the newest event that they have had. */
  readonly lastEventId: string | undefined;
}

/** Readers that are served before others have their turn. */
const SLICE = 500;

/**
 * The live stream at one gateway. Each fact becomes bytes once; readers are places in the one backlog of them, and take what
 * they have not had as fast as they can.
 */
export class StreamHub {
  readonly #options: StreamHubOptions;
  /** By the turn in which they get their heartbeat. */
  readonly #readers = Array.from({ length: STREAM_HEARTBEAT_SECONDS }, () => new Set<StreamReader>());
  #log: StreamLog | undefined;
  #place: StreamPlace = placeAt('');
  #joined = 0;
  #reading = 0;
  #turn = 0;
  #isServing = false;
  #isNewsWaiting = false;
  #isClosed = false;

  constructor(options: StreamHubOptions) {
    this.#options = options;
  }

  /**
   * From now on every fact behind this position of the log comes. If it isn't the one behind the fact that came last, facts
   * may have been missed, and readers are told so.
   */
  begin(position: string): void {
    if (position === this.#log?.last) return;
    this.#log = new StreamLog(position, this.#options);
    this.#place = placeAt(position);
    for (const reader of this.#everyone()) {
      if (!reader.reset(this.#log.backlog.end, this.#place)) this.#drop(reader);
    }
  }

  /** Takes the next fact of the log. */
  entry(fact: LoggedFact): void {
    if (this.#log === undefined) throw new Error('It must be said first where the log begins');
    const frame = this.#log.append(fact);
    if (frame === undefined) return;
    this.#place = placeAt(frame.after);
    this.#options.watch.brought(frame.topic, frame.marks.length);
    this.#serveAll();
  }

  /**
   * Lets somebody read, from the event that they have had last or from now on.
   *
   * @param open called once it is known where: opens what takes the bytes; undefined when nobody wants them any more
   * @throws AppError `unavailable` while the log isn't followed, and after `close`
   */
  async join(
    { topics, lastEventId }: StreamWish,
    open: () => StreamSink | undefined,
  ): Promise<StreamReader | undefined> {
    const log = this.#openLog();
    const found = lastEventId === undefined ? undefined : await log.resume(lastEventId);
    const { backlog } = this.#openLog();
    // Meanwhile the log may have become another, and what was found may have left it.
    const kept = found !== undefined && log === this.#log && found.cursor.at >= backlog.first ? found : undefined;
    const sink = open();
    if (sink === undefined) return undefined;
    const reader = new StreamReader(sink, topics, kept?.cursor ?? { at: backlog.end, had: 0 });
    this.#ofTurn(this.#joined).add(reader);
    this.#joined += 1;
    this.#count(1);
    reader.tellRetry(this.#options.retryMs());
    if (lastEventId === undefined) reader.tell(this.#place);
    else this.#options.watch.resumed(kept?.from ?? 'reset');
    if (lastEventId !== undefined && kept === undefined) reader.reset(backlog.end, this.#place);
    this.#serve(reader);
    return reader;
  }

  /** A reader's sink takes bytes again. */
  drained(reader: StreamReader): void {
    reader.drained();
    this.#serve(reader);
  }

  /** A reader's sink is gone. */
  leave(reader: StreamReader): void {
    for (const ofTurn of this.#readers) if (ofTurn.delete(reader)) this.#count(-1);
  }

  /** To be called every second: each reader gets its heartbeat in one of {@link STREAM_HEARTBEAT_SECONDS} calls. */
  beat(): void {
    this.#turn += 1;
    for (const reader of this.#ofTurn(this.#turn)) {
      this.#serve(reader);
      if (!reader.beat(this.#place)) this.#drop(reader);
    }
  }

  /** Ends every stream; nobody joins any more. */
  close(): void {
    this.#isClosed = true;
    for (const reader of this.#everyone()) {
      this.leave(reader);
      reader.end();
    }
  }

  #openLog(): StreamLog {
    if (this.#isClosed || this.#log === undefined)
      throw new AppError('unavailable', 'There is no stream now, try again soon');
    return this.#log;
  }

  #serveAll(): void {
    this.#isNewsWaiting = true;
    if (this.#isServing) return;
    this.#isServing = true;
    this.#options.later(() => {
      this.#isNewsWaiting = false;
      this.#serveNext(this.#everyone());
    });
  }

  /** So many of the readers, the others later: requests must not wait until thousands have been written to. */
  #serveNext(everyone: Iterator<StreamReader, undefined>): void {
    for (let served = 0; served < SLICE; served += 1) {
      const next = everyone.next();
      if (next.done === true) {
        this.#isServing = false;
        if (this.#isNewsWaiting) this.#serveAll();
        return;
      }
      this.#serve(next.value);
    }
    this.#options.later(() => this.#serveNext(everyone));
  }

  #serve(reader: StreamReader): void {
    if (this.#log !== undefined && !reader.serve(this.#log.backlog)) this.#drop(reader);
  }

  #drop(reader: StreamReader): void {
    this.leave(reader);
    reader.drop();
    this.#options.watch.dropped();
  }

  #count(by: 1 | -1): void {
    this.#reading += by;
    this.#options.watch.reading(this.#reading);
  }

  #ofTurn(number: number): Set<StreamReader> {
    const ofTurn = this.#readers[number % STREAM_HEARTBEAT_SECONDS];
    if (ofTurn === undefined) throw new RangeError('There is no such turn');
    return ofTurn;
  }

  *#everyone(): Generator<StreamReader, undefined> {
    for (const ofTurn of this.#readers) yield* ofTurn;
    return undefined;
  }
}
