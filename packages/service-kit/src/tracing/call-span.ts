import { context, currentTracing } from '../context/work-context.ts';
import { faultKind } from './tracing.ts';

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
  const work = context.current();
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
