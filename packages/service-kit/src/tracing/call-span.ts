import { context } from '../context/work-context.ts';
import { faultKind } from './fault-kind.ts';
import { currentTracing } from './tracing.ts';

/** A call to another service. */
export interface Call {
  /** Who is asked: a service, or a host. */
  to: string;
  method: string;
  /** The pattern of the path that is asked for. */
  route?: string;
}

/** The span of a call. */
export interface CallSpan {
  /** What goes along with the call. */
  readonly traceparent: string;
  /** It has an answer, whatever it says. */
  answered(status: number): void;
  /** It has none. */
  failed(error: unknown): void;
}

/** Begins the span of a call that is made for the running work; undefined where no spans are recorded of it. */
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
    answered: (status) => {
      span.end({
        attributes: { 'http.response.status_code': status },
        fault: status >= 500 ? String(status) : undefined,
      });
    },
    failed: (error) => {
      span.end({ fault: faultKind(error) });
    },
  };
}
