import { z } from 'zod';
import { instant, type EpochSeconds } from '../primitives/time.ts';
import type { ServiceName } from '../services.ts';

/** `observations`: read from the network. `facts`: durable changes, also in the log. `work`: a service's own jobs. */
export type Exchange = 'observations' | 'facts' | 'work';

/** The bus routes and validates by it; `docs/asyncapi.json` is printed from it. */
export interface MessageType<Data extends z.ZodType = z.ZodType> {
  /** Routing key, `thing.happened`. */
  readonly key: string;
  /**
   * Incremented when the meaning of the data changes. A new field needs no new version: it has a default, since older publishers lack it,
   * and older consumers ignore it.
   */
  readonly version: number;
  /** Reads data of the previous version as data of this one. */
  readonly previous?: z.ZodType<z.output<Data>>;
  readonly exchange: Exchange;
  /**
   * Live messages don't overtake earlier backfill messages, and batches of the ordered types of a queue are handled one
   * after the other: changes are computed from the previous state.
   */
  readonly ordered?: boolean;
  readonly summary: string;
  readonly producer: ServiceName;
  /** Gateways read facts from the log instead. */
  readonly consumers: readonly ServiceName[];
  readonly data: Data;
  readonly example: z.input<Data>;
  /** Cache tags of the changed data. */
  readonly tags: (data: z.output<Data>) => readonly string[];
  /** Responses with these tags are never served again, not even while their upstream is unavailable. */
  readonly purges?: true;
}

/** Common fields of observations. */
export const observation = { exchange: 'observations', producer: 'collector', tags: () => [] } as const;

/** `version`: default 1. */
export function messageType<Data extends z.ZodType>(
  definition: Omit<MessageType<Data>, 'version'> & { readonly version?: number },
): MessageType<Data> {
  return Object.freeze({ version: 1, ...definition });
}

export const envelope = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'Unique; the same for every delivery and every repetition of one message' }),
  type: z.string().min(1).max(100).meta({ description: 'Routing key' }),
  version: z.int().positive(),
  occurredAt: instant.meta({ description: 'When the event happened' }),
  origin: z.string().min(1).max(100).meta({ description: 'The observed network; `simulated` for the simulator' }),
  past: z.boolean().meta({ description: 'From a backfill or replay: about the past, not news' }),
  traceparent: z
    .string()
    .regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .meta({ description: 'W3C trace context of the work that published it' }),
  data: z.unknown(),
});
export type Envelope = z.output<typeof envelope>;

/** A validated message. */
export interface Message<Data = unknown> extends Omit<Envelope, 'data'> {
  data: Data;
}

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
