import { STREAM_RESET, streamTopicNames, type StreamTopic } from '@lobbystats/contracts';
import type { Backlog, Cursor } from './backlog.ts';
import { bytesAfter, EventFilter, filterEvents, type StreamFrame } from './stream-frame.ts';

export interface StreamSink {
  /** Accepts the bytes in any case. Returns false if the caller must wait until it has drained. */
  write(bytes: Buffer): boolean;
  /** Ends after the accepted bytes are sent. */
  end(): void;
  destroy(): void;
}

/** Events that a reader gets: of these topics, and of these names and games alone where they are given. */
export interface Subscription {
  readonly topics: readonly StreamTopic[];
  readonly names?: readonly string[] | undefined;
  readonly titleId?: readonly string[] | undefined;
}

const HEARTBEAT = Buffer.from(':\n\n');
/** Consecutive heartbeats that a blocked sink may miss. */
const MISSED_HEARTBEATS_MAX = 2;

/**
 * A reader of the stream. It holds no events, only its cursor in the backlog: while its sink is blocked it falls behind,
 * until its next frame has left the backlog.
 */
export class StreamReader {
  readonly #sink: StreamSink;
  readonly #topics: number;
  readonly #filter: EventFilter | undefined;
  #nextFrame: number;
  #skip: number;
  #isBlocked = false;
  #missedHeartbeats = 0;
  #lastIdSent: string | undefined;

  constructor(sink: StreamSink, { topics, names, titleId }: Subscription, { frame, skip }: Cursor) {
    this.#sink = sink;
    this.#topics = maskOf(topics);
    this.#filter = names === undefined && titleId === undefined ? undefined : new EventFilter(names, titleId);
    this.#nextFrame = frame;
    this.#skip = skip;
  }

  /**
   * Sends the frames after its cursor until the sink is blocked.
   *
   * @returns false when its next frame has left the backlog
   */
  serve(backlog: Backlog): boolean {
    if (this.#nextFrame < backlog.first) return false;
    while (!this.#isBlocked && this.#nextFrame < backlog.end) {
      const frame = backlog.frame(this.#nextFrame);
      const skip = this.#skip;
      this.#nextFrame += 1;
      this.#skip = 0;
      if (frame === undefined || !this.#isSubscribedTo(frame.topic)) continue;
      const chosen = this.#chosen(frame);
      const bytes = skip === 0 ? chosen.bytes : bytesAfter(chosen, skip);
      if (bytes.length > 0) this.#write(bytes);
      if (chosen.marks.at(-1)?.number === frame.marks.at(-1)?.number) this.#lastIdSent = frame.after;
    }
    return true;
  }

  drained(): void {
    this.#isBlocked = false;
    this.#missedHeartbeats = 0;
  }

  /**
   * Sends a heartbeat, and the stream's position if it has moved: a reader of rare topics can resume from the newest one.
   *
   * @returns false when the sink has been blocked for several heartbeats
   */
  heartbeat(position: string): boolean {
    if (this.#isBlocked) {
      this.#missedHeartbeats += 1;
      return this.#missedHeartbeats < MISSED_HEARTBEATS_MAX;
    }
    this.#write(HEARTBEAT);
    this.sendPosition(position);
    return true;
  }

  sendPosition(id: string): void {
    if (this.#lastIdSent === id) return;
    this.#lastIdSent = id;
    this.#write(Buffer.from(`id: ${id}\n\n`));
  }

  sendRetry(ms: number): void {
    this.#write(Buffer.from(`retry: ${ms}\n\n`));
  }

  /**
   * Sends a reset, since events may have been missed, and continues with a frame at the stream's position.
   *
   * @returns false when the sink is blocked
   */
  reset(nextFrame: number, id: string): boolean {
    if (this.#isBlocked) return false;
    this.#nextFrame = nextFrame;
    this.#skip = 0;
    this.#lastIdSent = id;
    this.#write(Buffer.from(`id: ${id}\nevent: ${STREAM_RESET}\ndata: {}\n\n`));
    return true;
  }

  end(): void {
    this.#sink.end();
  }

  destroy(): void {
    this.#sink.destroy();
  }

  #isSubscribedTo(topic: StreamTopic): boolean {
    return (this.#topics & bitOf(topic)) !== 0;
  }

  #chosen(frame: StreamFrame): StreamFrame {
    const filter = this.#filter;
    return filter === undefined ? frame : filterEvents(frame, (mark) => filter.has(mark));
  }

  #write(bytes: Buffer): void {
    if (!this.#sink.write(bytes)) this.#isBlocked = true;
  }
}

function maskOf(topics: readonly StreamTopic[]): number {
  return topics.reduce((mask, topic) => mask | bitOf(topic), 0);
}

function bitOf(topic: StreamTopic): number {
  return 1 << streamTopicNames.indexOf(topic);
}
