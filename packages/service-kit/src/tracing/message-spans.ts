import { context, currentTracing } from '../context/work-context.ts';
import { faultKind, type Span } from './tracing.ts';

export interface PublishedType {
  readonly key: string;
  readonly exchange: string;
  readonly producer: string;
}

export interface MessageBatch {
  readonly queue: string;
  readonly messages: readonly { readonly traceparent: string }[];
}

export interface PublishingSpan {
  readonly traceparent: string;
  /** Called when the message is durable, or has failed. */
  end(error?: unknown): void;
}

const LINKS_MAX = 128;

/** @returns undefined if tracing is off */
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
      endSpan(span, error);
    },
  };
}

/** Child of the first message's span, linked to the others. @returns undefined if tracing is off */
export function beginHandling(type: string, { queue, messages }: MessageBatch): Span | undefined {
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

export async function inSpan(span: Span, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
  span.end();
}

function endSpan(span: Span, error: unknown): void {
  span.end(error === undefined ? {} : { fault: faultKind(error) });
}
