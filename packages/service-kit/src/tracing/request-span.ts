import type { IncomingMessage, ServerResponse } from 'node:http';
import { allOperations } from '@lobbystats/contracts';
import { isHealthPath } from '../http/mount-health.ts';
import { notesOf } from '../http/send-json.ts';
import type { Span, Tracing } from './tracing.ts';

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
export function endRequestSpan(span: Span, { method = '' }: IncomingMessage, res: ServerResponse): void {
  const { operation = '' } = notesOf(res);
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
