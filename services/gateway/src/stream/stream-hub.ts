import { STREAM_HEARTBEAT_SECONDS, type StreamTopic } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { StreamLog, LoggedFact } from './stream-log.ts';
import { StreamReader, type StreamSink, type Subscription } from './stream-reader.ts';

export interface StreamMetrics {
  readers: { set(count: number): void };
  events: { inc(labels: { topic: StreamTopic }, count: number): void };
  resumed: { inc(labels: { result: 'resumed' | 'reset' }): void };
  dropped: { inc(): void };
}

export interface StreamHubOptions {
  metrics: StreamMetrics;
  /** Runs a function after the pending events of the event loop. Default: `setImmediate`. */
  defer?: (work: () => void) => void;
  /** Reconnection delay of a reader in milliseconds: random, so that not all reconnect at once. */
  retryMs: () => number;
}

export interface SubscribeOptions extends Subscription {
  readonly lastEventId: string | undefined;
}

const READERS_PER_SLICE = 500;
const SECOND_MS = 1000;

/**
 * The live stream of one gateway. Each fact is serialized once into a backlog. Readers are cursors in it and receive
 * frames at their own pace.
 */
export class StreamHub {
  readonly #options: Required<StreamHubOptions>;
  /** Grouped by the second of their heartbeat. */
  readonly #readers = Array.from({ length: STREAM_HEARTBEAT_SECONDS }, () => new Set<StreamReader>());
  #log: StreamLog | undefined;
  /** The log position after the newest event. */
  #position = '';
  #joined = 0;
  #count = 0;
  #second = 0;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  #isServing = false;
  #isFramePending = false;
  #isClosed = false;

  constructor(options: StreamHubOptions) {
    this.#options = { defer: (work) => void setImmediate(work), ...options };
  }

  /** Starts or restarts with a log. Connected readers may have missed facts: they get a reset. */
  begin(log: StreamLog): void {
    this.#log = log;
    this.#position = log.end;
    for (const reader of this.#allReaders()) {
      if (!reader.reset(log.backlog.end, this.#position)) this.#disconnect(reader);
    }
  }

  append(fact: LoggedFact): void {
    if (this.#log === undefined) throw new Error('The stream has not begun');
    const frame = this.#log.append(fact);
    if (frame === undefined) return;
    this.#position = frame.after;
    this.#options.metrics.events.inc({ topic: frame.topic }, frame.marks.length);
    this.#serveAll();
  }

  /**
   * Adds a reader, which resumes after its last event or starts at the newest one.
   *
   * @param open opens the sink once the cursor is known; undefined if the client has disconnected
   * @throws AppError `unavailable` while the log can't be read, and after `close`
   */
  async join(
    { lastEventId, ...subscription }: SubscribeOptions,
    open: () => StreamSink | undefined,
  ): Promise<StreamReader | undefined> {
    const log = this.#openLog();
    const resumed = lastEventId === undefined ? undefined : await log.resume(lastEventId);
    const { backlog } = this.#openLog();
    // The hub may have restarted meanwhile, and the frame may have left the backlog.
    const isValid = resumed !== undefined && log === this.#log && resumed.frame >= backlog.first;
    const sink = open();
    if (sink === undefined) return undefined;
    const reader = new StreamReader(sink, subscription, isValid ? resumed : { frame: backlog.end, skip: 0 });
    this.#ofSecond(this.#joined).add(reader);
    this.#joined += 1;
    this.#addToCount(1);
    reader.sendRetry(this.#options.retryMs());
    if (lastEventId === undefined) reader.sendPosition(this.#position);
    else this.#options.metrics.resumed.inc({ result: isValid ? 'resumed' : 'reset' });
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

  /** Until `close`. Each reader gets its heartbeat in one of {@link STREAM_HEARTBEAT_SECONDS} seconds. */
  startHeartbeat(secondMs = SECOND_MS): void {
    this.#heartbeatTimer = setInterval(() => this.heartbeat(), secondMs);
  }

  /** The heartbeat of the next second. */
  heartbeat(): void {
    this.#second += 1;
    for (const reader of this.#ofSecond(this.#second)) {
      this.#serve(reader);
      if (!reader.heartbeat(this.#position)) this.#disconnect(reader);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#heartbeatTimer);
    for (const reader of this.#allReaders()) {
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
    this.#options.defer(() => {
      this.#isFramePending = false;
      this.#serveNext(this.#allReaders());
    });
  }

  /** Serves a slice of the readers, the others later: requests must not wait for thousands of writes. */
  #serveNext(everyone: Iterator<StreamReader, undefined>): void {
    for (let served = 0; served < READERS_PER_SLICE; served += 1) {
      const next = everyone.next();
      if (next.done === true) {
        this.#isServing = false;
        if (this.#isFramePending) this.#serveAll();
        return;
      }
      this.#serve(next.value);
    }
    this.#options.defer(() => this.#serveNext(everyone));
  }

  #serve(reader: StreamReader): void {
    if (this.#log !== undefined && !reader.serve(this.#log.backlog)) this.#disconnect(reader);
  }

  #disconnect(reader: StreamReader): void {
    this.leave(reader);
    reader.destroy();
    this.#options.metrics.dropped.inc();
  }

  #addToCount(by: 1 | -1): void {
    this.#count += by;
    this.#options.metrics.readers.set(this.#count);
  }

  #ofSecond(second: number): Set<StreamReader> {
    const ofSecond = this.#readers[second % STREAM_HEARTBEAT_SECONDS];
    if (ofSecond === undefined) throw new RangeError('There is no such second');
    return ofSecond;
  }

  *#allReaders(): Generator<StreamReader, undefined> {
    for (const ofSecond of this.#readers) yield* ofSecond;
    return undefined;
  }
}
