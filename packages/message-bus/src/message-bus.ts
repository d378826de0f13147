import type { Message, MessageType, ServiceName } from '@lobbystats/contracts';
import type { z } from 'zod';

/** What a publisher may say beside the data. */
export interface PublishOptions {
  /** The same for every repetition of one message, so that a consumer can tell. Default: a random one. */
  id?: string;
  /** When what it tells of happened, in epoch seconds. Default: now. */
  occurredAt?: number;
  /** Whether it tells of the past (fill, replay). Default: false. Live messages overtake past ones in a queue, but for those `inTurn`. */
  past?: boolean;
  /** Epoch milliseconds after which nobody wants it: it leaves its queue without a trace but a count. Default: never. */
  expiresAtMs?: number;
}

/** What is done with the messages of one type in a consumer's queue. */
export interface Handler {
  readonly type: MessageType;
  /** How many messages at most are handed over at once; the consumer's `prefetch` may make it fewer. */
  readonly batch: number;
  /**
   * Resolves when the work is durable; only then are the messages acknowledged. Rejects with an AppError `invalid` when
   * they can never be handled (dead letters at once), with anything else to have them again after a while. A batch that
   * fails is handed over again at once, one message at a time, so that one bad message can't take others with it; only
   * what fails alone has used up an attempt. But with an AppError `unavailable` it isn't the messages that are bad: all of
   * the batch come again after their backoff, for as long as an outage may last ({@link OUTAGE_ATTEMPTS}). Messages are for
   * reading: a handler must not change them.
   */
  readonly handle: (messages: Message[]) => Promise<void>;
}

/** One message at a time, up to the consumer's `prefetch` of them side by side. */
export function handle<Data extends z.ZodType>(
  type: MessageType<Data>,
  work: (message: Message<z.output<Data>>) => Promise<void>,
): Handler {
  return {
    type,
    batch: 1,
    handle: async ([message]) => {
      await work(message as Message<z.output<Data>>);
    },
  };
}

/** As many as are waiting, up to `max`, in one call; one call at a time. */
export function handleBatch<Data extends z.ZodType>(
  type: MessageType<Data>,
  max: number,
  work: (messages: Message<z.output<Data>>[]) => Promise<void>,
): Handler {
  return {
    type,
    batch: max,
    handle: (messages) => work(messages as Message<z.output<Data>>[]),
  };
}

/**
 * How often a message may meet an AppError `unavailable` before it is a dead letter: about a day, at the longest of the usual
 * waits. An outage of hours costs nothing; a message that takes its store down each time doesn't do so for ever.
 */
export const OUTAGE_ATTEMPTS = 2880;

export interface Consumer {
  /** The service whose queue it is. Several consumers of one queue compete: each message goes to one of them. */
  queue: ServiceName;
  /** One for each message type that goes to this queue. */
  handlers: readonly Handler[];
  /** How many messages at most are with this consumer and not yet acknowledged. Default: 32, or the largest batch. */
  prefetch?: number;
  /**
   * How often a message may fail before it becomes a dead letter; `Infinity` for never. Default 6. What is `unavailable`
   * has {@link OUTAGE_ATTEMPTS} at least. A hand-over that was cut off, by a stop or a kill, doesn't count. But a message is a dead letter, too, when the process has died in its
   * hand-over again and again, 20 times in a row at least.
   */
  attempts?: number;
  /** The wait before attempt n + 1 (n = 1, 2, …). Default: 0.5 s doubling up to 30 s. */
  backoffMs?: (attempt: number) => number;
}

/** Something that runs until it is stopped. `stop` resolves when what was in hand is finished. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * A place in the log of facts. Opaque: it names its log as well as the offset in it. `start` is before the oldest kept
 * fact, `end` behind the newest.
 */
export type LogPosition = string;

export interface LogEntry {
  /** Where the reader stands after this fact: reading from here goes on with the next. */
  position: LogPosition;
  message: Message;
}

export interface LogReader {
  /** Read what comes after this. */
  from: LogPosition;
  /** Called for one fact after the other, in the log's order. A rejection stops the reader and is given to `onFault`. */
  onEntry: (entry: LogEntry) => void | Promise<void>;
  /**
   * Facts may have been missed: called before the first fact when `from` is malformed, of another log or no longer kept,
   * and later if the reader is so slow that facts leave the log before it has read them. It goes on with the oldest kept.
   */
  onReset?: () => void | Promise<void>;
  /**
   * Called when every fact that was in the log when the reading began has been passed, those included that can't be read.
   * May be called again.
   */
  onCaughtUp?: () => void;
  /** Called once if the reader can't go on: it has stopped. */
  onFault: (error: unknown) => void;
}

/**
 * The way messages go between services. At least once: a message whose `publish` has resolved is delivered to each
 * queue that wants it until a handler resolves or it becomes a dead letter, over restarts and kills. Within a queue
 * messages keep no strict order: consumers must bear repetition and disorder.
 *
 * A message that isn't one of the table's, doesn't fit its schema or version, or speaks of another network than
 * `origin` becomes a dead letter at once.
 */
export interface MessageBus {
  /** The network that this bus speaks of. */
  readonly origin: string;
  /**
   * Resolves when the message is durable.
   *
   * @throws AppError `invalid` when the data doesn't fit its own schema, or is larger than `MAX_BODY_BYTES`: a fault of
   *   the publisher
   * @throws AppError `unavailable` when it couldn't be made durable: publish again, with the same id
   */
  publish<Data extends z.ZodType>(
    type: MessageType<Data>,
    data: z.input<Data>,
    options?: PublishOptions,
  ): Promise<void>;
  /** @throws Error when the handlers aren't exactly those of the types that go to the queue: a fault of the caller */
  consume(consumer: Consumer): Promise<Running>;
  /** Reads the log of facts from a position on, and goes on with each new fact as it is published. */
  readLog(reader: LogReader): Promise<Running>;
  /** The position behind the newest fact. */
  logEnd(): Promise<LogPosition>;
  /** How many messages wait in a queue, those included that are in hand at this bus (not at another process's). */
  depth(queue: ServiceName): Promise<number>;
  /** Rejects with AppError `unavailable` when messages can't be published now. */
  check(): Promise<void>;
  /**
   * Stops all consumers and readers, lets what is in hand finish (it may still publish), and closes. Not to be awaited
   * inside a handler, which would wait for itself.
   */
  close(): Promise<void>;
}

/** A message that could not be handled, as an operator sees it. */
export interface DeadLetter {
  /** Its number among the dead letters. */
  id: string;
  queue: ServiceName;
  /** Why it is here, in one line. */
  reason: string;
  attempts: number;
  diedAt: string;
  /** The body as it was received, parseable or not. */
  body: string;
}

/** Which dead letters are meant: all, those of a queue, or single ones. */
export interface DeadLetterSelection {
  queue?: ServiceName;
  ids?: readonly string[];
}

/** The operators' side of the bus. Works on a bus in use as well as on a stopped one. */
export interface DeadLetterOffice {
  /** The oldest first. */
  list(selection?: DeadLetterSelection): Promise<DeadLetter[]>;
  /** Puts them back into the queues they came from, with all their attempts; how many. */
  requeue(selection?: DeadLetterSelection): Promise<number>;
  /** Removes them for good; how many. */
  purge(selection?: DeadLetterSelection): Promise<number>;
  close(): Promise<void>;
}
