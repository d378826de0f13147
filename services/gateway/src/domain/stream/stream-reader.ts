import { STREAM_RESET, streamTopicNames, type StreamTopic } from '@lobbystats/contracts';
import type { Backlog, Cursor } from './backlog.ts';
import { bytesBehind } from './stream-frame.ts';

/** Where a reader's bytes go. */
export interface StreamSink {
  /** Takes bytes in any case; false: no more until it has drained. */
  write(bytes: Buffer): boolean;
  /** Lets what it has taken go out, and ends. */
  end(): void;
  /** Hangs up at once. */
  drop(): void;
}

/** Where the stream stands: behind its newest event. */
export interface StreamPlace {
  /** An event id. */
  readonly id: string;
  /** What a reader is sent who is to know it. */
  readonly words: Buffer;
}

const HEARTBEAT = Buffer.from(':\n\n');
/** So many heartbeats in a row a sink may not have taken. */
const BEATS_MISSED_MAX = 2;

/** The place, for readers. */
export function placeAt(id: string): StreamPlace {
  return { id, words: Buffer.from(`id: ${id}\n\n`) };
}

/**
 * Somebody who reads the stream. It holds no events, only its place in the backlog: while its sink takes nothing it falls
 * behind, until what it would be sent next has left the backlog.
 */
export class StreamReader {
  readonly #sink: StreamSink;
  readonly #topics: number;
  #at: number;
  #had: number;
  #isBlocked = false;
  #beatsMissed = 0;
  /** The id that its sink was told last. */
  #told: string | undefined;

  constructor(sink: StreamSink, topics: readonly StreamTopic[], { at, had }: Cursor) {
    this.#sink = sink;
    this.#topics = maskOf(topics);
    this.#at = at;
    this.#had = had;
  }

  /**
   * Sends what it has not had, as far as the sink takes it.
   *
   * @returns false when what it would be sent next has left the backlog
   */
  serve(backlog: Backlog): boolean {
    if (this.#at < backlog.first) return false;
    while (!this.#isBlocked && this.#at < backlog.end) {
      const frame = backlog.frame(this.#at);
      const had = this.#had;
      this.#at += 1;
      this.#had = 0;
      if (frame === undefined || !this.#wants(frame.topic)) continue;
      const bytes = bytesBehind(frame, had);
      if (bytes.length > 0) this.#write(bytes);
      this.#told = frame.after;
    }
    return true;
  }

  /** The sink takes bytes again. */
  drained(): void {
    this.#isBlocked = false;
    this.#beatsMissed = 0;
  }

  /**
   * A sign of life. One who wants none of the newest events is told where the stream
   * stands: when they come back they have missed nothing.
   *
   * @returns false when the sink has taken nothing for some of them
   */
  beat(place: StreamPlace): boolean {
    if (this.#isBlocked) {
      this.#beatsMissed += 1;
      return this.#beatsMissed < BEATS_MISSED_MAX;
    }
    this.#write(HEARTBEAT);
    this.tell(place);
    return true;
  }

  /** Says where the stream stands, if that is news. */
  tell({ id, words }: StreamPlace): void {
    if (this.#told === id) return;
    this.#told = id;
    this.#write(words);
  }

  /** How long to wait before coming back when the stream has broken off, in milliseconds. */
  tellRetry(ms: number): void {
    this.#write(Buffer.from(`retry: ${ms}\n\n`));
  }

  /**
   * Events may have been missed: says so and goes on where the stream stands.
   *
   * @returns false when the sink takes nothing that could say so
   */
  reset(at: number, { id }: StreamPlace): boolean {
    if (this.#isBlocked) return false;
    this.#at = at;
    this.#had = 0;
    this.#told = id;
    this.#write(Buffer.from(`id: ${id}\nevent: ${STREAM_RESET}\ndata: {}\n\n`));
    return true;
  }

  end(): void {
    this.#sink.end();
  }

  drop(): void {
    this.#sink.drop();
  }

  #wants(topic: StreamTopic): boolean {
    return (this.#topics & bitOf(topic)) !== 0;
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
