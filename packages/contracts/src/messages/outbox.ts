import type { EpochSeconds } from '../primitives/time.ts';
import type { MessageType } from './message-type.ts';

export interface Fact {
  /** Routing key. */
  readonly type: string;
  /** Message id, equal for every publication. */
  readonly id: string;
  readonly occurredAt: EpochSeconds;
  readonly past: boolean;
  readonly data: unknown;
}

export interface FactMetadata extends Pick<Fact, 'occurredAt' | 'past'> {
  readonly origin: string;
  readonly revision: number;
}

/** Facts of one commit. Ids derive from the revision, so that a repeated commit creates equal facts. */
export function createFacts(
  { key: type }: Pick<MessageType, 'key'>,
  data: readonly unknown[],
  { origin, revision, occurredAt, past }: FactMetadata,
): Fact[] {
  return data.map((item, index) => ({
    type,
    id: `${type}:${origin}:${revision}:${index + 1}`,
    occurredAt,
    past,
    data: item,
  }));
}

export interface PendingFact extends Fact {
  /** Position: facts are published in ascending order, which is the order of commits. */
  readonly place: number;
}

/** Facts stored in one transaction with the data that they describe. @throws AppError `unavailable` (all methods) */
export interface Outbox {
  /** In order of position. */
  pending(limit: number): Promise<PendingFact[]>;
  /** Idempotent. */
  remove(positions: readonly number[]): Promise<void>;
  /** Number of unpublished facts. */
  backlog(): Promise<number>;
}
