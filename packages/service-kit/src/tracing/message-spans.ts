import { context } from '../context/work-context.ts';
import { faultKind } from './fault-kind.ts';
import { currentTracing, type Span } from './tracing.ts';

/** What a message is and who says it. */
export interface PublishedType {
  readonly key: string;
  readonly exchange: string;
  readonly producer: string;
}

/** What is handed to a handler in one call. */
export interface HandedOver {
  /** The service whose queue it comes from. */
  readonly queue: string;
  readonly messages: readonly { readonly traceparent: string }[];
}

/** A message on its way. */
export interface PublishingSpan {
  /** What the message carries. */
  readonly traceparent: string;
  /** It is durable, or it isn't because of an error. */
  end(error?: unknown): void;
}

/** Links of one span at most. */
const LINKS_MAX = 128;

/** Begins the span of a message's publication; undefined where no spans are recorded. */
export function beginPublishing({ key, exchange, producer }: PublishedType): PublishingSpan | undefined {
  const span = currentTracing()?.begin({
    service: producer,
    kind: 'producer',
    name: `send ${key}`,
    attributes: {
      'messaging.operation.type': 'send',
      'messaging.destination.name': exchange,
      'messaging.rabbitmq.destination.routing_key': key,
    },
    parent: context.current()?.traceparent,
  });
  if (span === undefined) return undefined;
  return {
    traceparent: span.traceparent,
    end: (error) => {
      endBy(span, error);
    },
  };
}

/**
 * Begins the span of a handler's work: a child of what published its first message, linked to what published the others. Undefined
 * where no spans are recorded.
 */
export function beginHandling(type: string, { queue, messages }: HandedOver): Span | undefined {
  const tracing = currentTracing();
  if (tracing === undefined) return undefined;
  const [first, ...others] = messages;
  return tracing.begin({
    service: queue,
    kind: 'consumer',
    name: `process ${type}`,
    attributes: {
      'messaging.operation.type': 'process',
      'messaging.destination.name': queue,
      'messaging.rabbitmq.destination.routing_key': type,
      'messaging.batch.message_count': messages.length,
    },
    parent: first?.traceparent,
    links: others.slice(0, LINKS_MAX).map(({ traceparent }) => traceparent),
  });
}

/** Runs work in a span that has begun, and ends it. */
export async function inSpan(span: Span, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    endBy(span, error);
    throw error;
  }
  span.end();
}

function endBy(span: Span, error: unknown): void {
  span.end(error === undefined ? {} : { fault: faultKind(error) });
}
