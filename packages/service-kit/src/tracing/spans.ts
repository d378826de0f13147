import type { IncomingMessage } from 'node:http';
import { allOperations, type MessageType } from '@lobbystats/contracts';
import type { DispatchedBatch, PublishSpan } from '../bus/index.ts';
import { context, currentTracing } from '../context/work-context.ts';
import { isHealthPath } from '../http/mount-routes.ts';
import type { NotedResponse } from '../http/send-response.ts';
import { faultKind, type Span, type Tracing } from './tracing.ts';

const routes: ReadonlyMap<string, string> = new Map(allOperations.map(({ id, path }) => [id, path]));

/** @returns undefined for health checks */
export function beginRequestSpan(
  tracing: Tracing,
  service: string,
  req: IncomingMessage,
  isPublic: boolean,
): Span | undefined {
  if (isHealthPath(req.url)) return undefined;
  const { method = '', headers } = req;
  return tracing.begin({
    service,
    kind: 'server',
    name: method,
    attributes: { 'http.request.method': method },
    parent: headers['traceparent'],
    isUntrusted: isPublic,
  });
}

/** To be called after the response: the route is known then. */
export function endRequestSpan(span: Span, { method = '' }: IncomingMessage, res: NotedResponse): void {
  const { operation = '' } = res.locals ?? {};
  const { statusCode, writableFinished } = res;
  // Routes that aren't operations are labelled by their path pattern.
  const route = routes.get(operation) ?? (operation.startsWith('/') ? operation : undefined);
  span.end({
    name: route === undefined ? undefined : `${method} ${route}`,
    attributes: {
      ...(route !== undefined && { 'http.route': route }),
      ...(res.headersSent && { 'http.response.status_code': statusCode }),
      ...(!writableFinished && { 'lobbystats.aborted': true }),
    },
    fault: statusCode >= 500 ? String(statusCode) : undefined,
  });
}

export interface Call {
  /** Service or host. */
  to: string;
  method: string;
  route?: string;
}

export interface CallSpan {
  readonly traceparent: string;
  endWithStatus(status: number): void;
  endWithError(error: unknown): void;
}

/** @returns undefined if the running work has no span */
export function beginCall({ to, method, route }: Call): CallSpan | undefined {
  const work = context.getStore();
  if (work?.service === undefined) return undefined;
  const span = currentTracing()?.begin({
    service: work.service,
    kind: 'client',
    name: `${method} ${route ?? to}`,
    attributes: {
      'http.request.method': method,
      'server.address': to,
      ...(route !== undefined && { 'url.template': route }),
    },
    parent: work.traceparent,
  });
  if (span === undefined) return undefined;
  return {
    traceparent: span.traceparent,
    endWithStatus: (status) => {
      span.end({
        attributes: { 'http.response.status_code': status },
        fault: status >= 500 ? String(status) : undefined,
      });
    },
    endWithError: (error) => {
      span.end({ fault: faultKind(error) });
    },
  };
}

const LINKS_MAX = 128;

/** As in OpenTelemetry's conventions; the bus of `npm start` has no name there. */
export type MessagingSystem = 'rabbitmq' | 'in_process';

/** @returns undefined if tracing is off */
export function beginPublishing(
  system: MessagingSystem,
  { key, exchange, producer }: MessageType,
): PublishSpan | undefined {
  const span = currentTracing()?.begin({
    service: producer,
    kind: 'producer',
    name: `send ${key}`,
    attributes: {
      'messaging.system': system,
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'messaging.destination.name': exchange,
      'messaging.rabbitmq.destination.routing_key': key,
    },
    parent: context.getStore()?.traceparent,
  });
  if (span === undefined) return undefined;
  return {
    traceparent: span.traceparent,
    end: (error) => endSpan(span, error),
  };
}

/** Child of the first message's span, linked to the others. @returns undefined if tracing is off */
export function beginHandling(
  system: MessagingSystem,
  type: string,
  { queue, messages }: DispatchedBatch,
): Span | undefined {
  const tracing = currentTracing();
  if (tracing === undefined) return undefined;
  const [first, ...others] = messages;
  return tracing.begin({
    service: queue,
    kind: 'consumer',
    name: `process ${type}`,
    attributes: {
      'messaging.system': system,
      'messaging.operation.name': 'process',
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
