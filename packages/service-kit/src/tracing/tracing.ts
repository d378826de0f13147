import { AppError } from '@lobbystats/contracts/errors';

type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

/** Never text from callers, such as paths, queries, names, keys or error messages. */
type SpanAttributes = Record<string, string | number | boolean>;

export interface Span {
  /** W3C trace context for child spans. */
  readonly traceparent: string;
  end(outcome?: SpanOutcome): void;
}

export interface SpanOutcome {
  name?: string | undefined;
  attributes?: SpanAttributes;
  fault?: string | undefined;
}

export interface SpanStart {
  service: string;
  kind: SpanKind;
  name: string;
  attributes?: SpanAttributes;
  /** Traceparent; a new trace begins where it is absent or malformed. */
  parent?: unknown;
  /** Continues the parent's trace, but ignores its sampling flag: public callers must not decide on recording. */
  isUntrusted?: boolean;
  links?: readonly string[];
}

/** Records spans; never throws or waits for the collector, and drops spans when its queue is full. */
export interface Tracing {
  begin(start: SpanStart): Span;
  stop(): Promise<void>;
}

/** The code or class name of an error, never its message, which may quote user input. */
export function faultKind(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
