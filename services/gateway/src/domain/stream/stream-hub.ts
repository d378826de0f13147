import { STREAM_HEARTBEAT_SECONDS, type StreamTopic } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { LoggedFact } from './fact-frames.ts';
import type { StreamLog } from './stream-log.ts';
import { streamPosition, StreamReader, type StreamPosition, type StreamSink } from './stream-reader.ts';

export interface StreamMetrics {
  readers(count: number): void;
  events(topic: StreamTopic, count: number): void;
  resumed(result: 'resumed' | 'reset'): void;
  dropped(): void;
}

export interface StreamHubOptions {
  metrics: StreamMetrics;
  /** Runs something after the events that are waiting in the event loop. */
  later: (work: () => void) => void;
  /** The time before a reconnection that a reader is told, in milliseconds: random, so that not all come back at once. */
  retryMs: () => number;
}

export interface StreamRequest {
  readonly topics: readonly StreamTopic[];
  readonly lastEventId: string | undefined;
}

const SLICE = 500;

/**
 * The live stream at one gateway. Each fact is serialized once into a backlog; readers are cursors in it, and take the
 * frames after them as fast as they can.
 */
export class StreamHub {
  readonly #options: StreamHubOptions;
  /** By the second of their heartbeat. */
  readonly #readers = Array.from({ length: STREAM_HEARTBEAT_SECONDS }, () => new Set<StreamReader>());
  #log: StreamLog | undefined;
  #position: StreamPosition = streamPosition('');
  #joined = 0;
  #count = 0;
  #second = 0;
  #isServing = false;
  #isFramePending = false;
  #isClosed = false;

  constructor(options: StreamHubOptions) {
    this.#options = options;
  }

  /** Begins anew with a log, whose next fact comes next. Connected readers may have missed facts: they get a reset. */
  begin(log: StreamLog): void {
    this.#log = log;
    this.#position = streamPosition(log.end);
    for (const reader of this.#everyone()) {
      if (!reader.reset(log.backlog.end, this.#position)) this.#drop(reader);
    }
  }

  entry(fact: LoggedFact): void {
    if (this.#log === undefined) throw new Error('The stream has not begun');
    const frame = this.#log.append(fact);
    if (frame === undefined) return;
    this.#position = streamPosition(frame.after);
    this.#options.metrics.events(frame.topic, frame.marks.length);
    this.#serveAll();
  }

  /**
   * Adds a reader, after the event that it has received last or from now on.
   *
   * @param open called when its cursor is known: opens the sink; undefined when the client has gone meanwhile
   * @throws AppError `unavailable` while the log isn't followed, and after `close`
   */
  async join(
    { topics, lastEventId }: StreamRequest,
    open: () => StreamSink | undefined,
  ): Promise<StreamReader | undefined> {
    const log = this.#openLog();
    const resumed = lastEventId === undefined ? undefined : await log.resume(lastEventId);
    const { backlog } = this.#openLog();
    // Meanwhile the hub may have begun anew, and the frame may have left the backlog.
    const isValid = resumed !== undefined && log === this.#log && resumed.frame >= backlog.first;
    const sink = open();
    if (sink === undefined) return undefined;
    const reader = new StreamReader(sink, topics, isValid ? resumed : { frame: backlog.end, skip: 0 });
    this.#ofSecond(this.#joined).add(reader);
    this.#joined += 1;
    this.#addToCount(1);
    reader.sendRetry(this.#options.retryMs());
    if (lastEventId === undefined) reader.sendPosition(this.#position);
    else this.#options.metrics.resumed(isValid ? 'resumed' : 'reset');
    if (lastEventId !== undefined && !isValid) reader.reset(backlog.end, this.#position);
    this.#serve(reader);
    return reader;
  }

  drained(reader: StreamReader): void {
    reader.drained();
    this.#serve(reader);
  }

  leave(reader: StreamReader): void {
    for (const ofSecond of this.#readers) if (ofSecond.delete(reader)) this.#addToCount(-1);
  }

  /** To be called every second: each reader gets its heartbeat in one of {@link STREAM_HEARTBEAT_SECONDS} calls. */
  heartbeat(): void {
    this.#second += 1;
    for (const reader of this.#ofSecond(this.#second)) {
      this.#serve(reader);
      if (!reader.heartbeat(this.#position)) this.#drop(reader);
    }
  }

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
    this.#isFramePending = true;
    if (this.#isServing) return;
    this.#isServing = true;
    this.#options.later(() => {
      this.#isFramePending = false;
      this.#serveNext(this.#everyone());
    });
  }

  /** Serves a slice of the readers, the others later: requests must not wait for thousands of writes. */
  #serveNext(everyone: Iterator<StreamReader, undefined>): void {
    for (let served = 0; served < SLICE; served += 1) {
      const next = everyone.next();
      if (next.done === true) {
        this.#isServing = false;
        if (this.#isFramePending) this.#serveAll();
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
    this.#options.metrics.dropped();
  }

  #addToCount(by: 1 | -1): void {
    this.#count += by;
    this.#options.metrics.readers(this.#count);
  }

  #ofSecond(second: number): Set<StreamReader> {
    const ofSecond = this.#readers[second % STREAM_HEARTBEAT_SECONDS];
    if (ofSecond === undefined) throw new RangeError('There is no such second');
    return ofSecond;
  }

  *#everyone(): Generator<StreamReader, undefined> {
    for (const ofSecond of this.#readers) yield* ofSecond;
    return undefined;
  }
}
