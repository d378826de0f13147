import type { EpochSeconds } from '../primitives/time.ts';
import type { MessageType } from './message-type.ts';

/** A fact that is to be published: a message of the table, not yet on the bus. */
export interface Fact {
  /** Routing key. */
  readonly type: string;
  /** The message's id: the same however often it is published. */
  readonly id: string;
  readonly occurredAt: EpochSeconds;
  readonly past: boolean;
  readonly data: unknown;
}

/** Whose facts they are, of when, and of which revision of what they tell of. */
export interface FactsAbout extends Pick<Fact, 'occurredAt' | 'past'> {
  readonly origin: string;
  readonly revision: number;
}

/** The facts of one type that the commit of a revision makes: their ids follow from it, so that a repetition makes the same. */
export function factsOf(
  { key: type }: Pick<MessageType, 'key'>,
  data: readonly unknown[],
  { origin, revision, occurredAt, past }: FactsAbout,
): Fact[] {
  return data.map((some, index) => ({
    type,
    id: `${type}:${origin}:${revision}:${index + 1}`,
    occurredAt,
    past,
    data: some,
  }));
}

/** A fact in the outbox. */
export interface PendingFact extends Fact {
  /** Its place: facts are published by it, lowest first. Facts of a later commit have higher ones. */
  readonly place: number;
}

/**
 * Facts that became durable together with what they tell of, and wait to be published.
 *
 * Every method rejects with an AppError `unavailable` when the store can't be reached or written now.
 */
export interface Outbox {
  /** The first facts by place, at most `limit`. */
  pending(limit: number): Promise<PendingFact[]>;
  /** Takes published facts out. Those that are no longer there are no error. */
  remove(places: readonly number[]): Promise<void>;
  /** How many facts wait. */
  backlog(): Promise<number>;
}
