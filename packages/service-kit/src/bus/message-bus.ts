import type { Message, MessageType, ServiceName } from '@lobbystats/contracts';
import type { z } from 'zod';
import type { Replica } from './replicas.ts';

export interface PublishOptions {
  /** Equal for repetitions of a message. Default: random. */
  id?: string;
  occurredAt?: number;
  /** Backfill or replay. Default: false. Live messages overtake past ones, except `ordered` types. */
  past?: boolean;
  expiresAtMs?: number;
}

export interface Handler {
  readonly type: MessageType;
  /** Largest batch; `prefetch` may make it smaller. */
  readonly batch: number;
  /**
   * Resolves when the work is durable; then messages are acknowledged. `invalid`: dead letter at once. `unavailable`:
   * the whole batch is retried ({@link OUTAGE_ATTEMPTS}). Other errors: retried one by one. Messages are read-only.
   */
  readonly handle: (messages: Message[]) => Promise<void>;
}

/** Rejects a message that the handler can't take now, as in normal operation, so that it is delivered again. */
export class PostponedError extends Error {
  override readonly name = 'PostponedError';
}

/** Up to `prefetch` messages concurrently. */
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

/** All waiting messages up to `max`; one call at a time. */
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

/** Retries after `unavailable` before a message becomes a dead letter: about a day. */
export const OUTAGE_ATTEMPTS = 2880;

export interface Consumer {
  queue: ServiceName;
  handlers: readonly Handler[];
  prefetch?: number;
  /**
   * Failures before a message becomes a dead letter. Default 6; {@link OUTAGE_ATTEMPTS} after `unavailable`. Interrupted
   * deliveries don't count, unless the process crashed in 20 of them in a row.
   */
  attempts?: number;
  backoffMs?: (attempt: number) => number;
}

export interface Subscription {
  stop(): Promise<void>;
}

/** Opaque. `start`: before the oldest kept fact; `end`: after the newest. */
export type LogPosition = string;

export interface LogEntry {
  position: LogPosition;
  message: Message;
}

export interface LogReader {
  from: LogPosition;
  /** Leaves out facts about the past, mostly without the cost of parsing them. Default: false. */
  isLiveOnly?: boolean;
  onEntry: (entry: LogEntry) => void | Promise<void>;
  /**
   * Facts may have been missed, at the start or because the reader is too slow. Reading continues with the oldest kept
   * fact.
   */
  onReset?: () => void | Promise<void>;
  /** Called when all facts present at the start have been passed, unreadable ones included. May repeat. */
  onCaughtUp?: () => void;
  onFault: (error: unknown) => void;
}

/**
 * At-least-once delivery that survives restarts and crashes. Order within a queue is not strict, and messages may
 * repeat. Malformed messages and those of another origin become dead letters.
 */
export interface MessageBus {
  readonly origin: string;
  /**
   * Resolves when durable.
   *
   * @throws AppError `invalid` when the data violates its schema, or is larger than `MAX_BODY_BYTES`: a bug of the
   * publisher
   * @throws AppError `unavailable` when it couldn't be made durable: publish again, with the same id
   */
  publish<Data extends z.ZodType>(
    type: MessageType<Data>,
    data: z.input<Data>,
    options?: PublishOptions,
  ): Promise<void>;
  /** @throws Error when the handlers don't match the types of the queue: a bug of the caller */
  consume(consumer: Consumer): Promise<Subscription>;
  readLog(reader: LogReader): Promise<Subscription>;
  /**
   * Joins the replicas of the service that opened the bus: one of them leads, until it stops or the bus loses it.
   * Jobs are neither durable nor repeated.
   */
  join(replica: Replica): Promise<Subscription>;
  logEnd(): Promise<LogPosition>;
  depth(queue: ServiceName): Promise<number>;
  check(): Promise<void>;
  /** Lets running handlers finish, then closes. Never await it inside a handler. */
  close(): Promise<void>;
}

export interface DeadLetter {
  id: string;
  queue: ServiceName;
  reason: string;
  attempts: number;
  diedAt: string;
  body: string;
}

export interface DeadLetterSelection {
  queue?: ServiceName;
  ids?: readonly string[];
}

/** For operators; works on buses in use. One call at a time. */
export interface DeadLetterStore {
  list(selection?: DeadLetterSelection): Promise<DeadLetter[]>;
  /** Requeues with all attempts; returns how many. */
  requeue(selection?: DeadLetterSelection): Promise<number>;
  /** Deletes; returns how many. */
  purge(selection?: DeadLetterSelection): Promise<number>;
  close(): Promise<void>;
}
