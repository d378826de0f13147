import { z } from 'zod';
import { instant } from '../primitives/time.ts';
import type { ServiceName } from '../services.ts';

/**
 * Where a message goes. `observations`: what was seen of the network. `facts`: what a service has made durable, also kept
 * in the log. `work`: jobs of one service for its own replicas.
 */
export type Exchange = 'observations' | 'facts' | 'work';

/** One kind of message, as data: the bus routes and validates by it, `docs/messages.md` is printed from it. */
export interface MessageType<Data extends z.ZodType = z.ZodType> {
  /** Routing key, `thing.happened`. */
  readonly key: string;
  /** Grows when the data changes its meaning; from the first release on, the one before is still read. */
  readonly version: number;
  readonly exchange: Exchange;
  /**
   * Whether live ones stay behind those of the past that were published before them. Others overtake them: news is worth
   * more than history, but a change is worked out from what came before it.
   */
  readonly inTurn?: boolean;
  /** One sentence for people. */
  readonly summary: string;
  readonly producer: ServiceName;
  /** The services whose queues get it. Gateways read facts from the log instead. */
  readonly consumers: readonly ServiceName[];
  readonly data: Data;
  /** Data that fits, for the documents. */
  readonly example: z.input<Data>;
  /** The cache tags of what it changed; observations have none. */
  readonly tags: (data: z.output<Data>) => readonly string[];
}

/** Declares a message type and keeps its types. */
export function messageType<Data extends z.ZodType>(definition: MessageType<Data>): MessageType<Data> {
  return Object.freeze(definition);
}

/** What surrounds every message's data. */
export const envelope = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'Unique; the same for every delivery and every repetition of one message' }),
  type: z.string().min(1).max(100).meta({ description: 'Routing key' }),
  version: z.int().positive(),
  occurredAt: instant.meta({ description: 'When what it tells of happened' }),
  origin: z.string().min(1).max(100).meta({ description: 'The network it speaks of; `simulated` for the simulator' }),
  past: z.boolean().meta({ description: 'Whether a fill or replay brought it: the past, not news' }),
  traceparent: z
    .string()
    .regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .meta({ description: 'W3C trace context of the work that published it' }),
  data: z.unknown(),
});
export type Envelope = z.output<typeof envelope>;

/** A message as its consumer gets it: the envelope, and data that its schema has accepted. */
export interface Message<Data = unknown> extends Omit<Envelope, 'data'> {
  data: Data;
}
