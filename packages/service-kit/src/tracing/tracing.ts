/** What a piece of work is to the work around it: https://opentelemetry.io/docs/specs/otel/trace/api/#spankind */
type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

/** What is said of a span: never what a caller chose, such as a path, a query, a name, a key, or an error's message. */
type SpanAttributes = Record<string, string | number | boolean>;

/** A piece of work whose beginning, end and place in a trace are recorded. */
export interface Span {
  /** The W3C trace context that is handed on by what is done in it. */
  readonly traceparent: string;
  end(outcome?: SpanOutcome): void;
}

/** What has become known of a span since it began. */
export interface SpanOutcome {
  /** A better name. */
  name?: string | undefined;
  attributes?: SpanAttributes;
  /** What kind of fault of ours or of who was asked made it fail. */
  fault?: string | undefined;
}

export interface SpanStart {
  /** Whose work it is: a process may have several services. */
  service: string;
  kind: SpanKind;
  name: string;
  attributes?: SpanAttributes;
  /** What led to it: a new trace where it is absent or malformed. */
  parent?: unknown;
  /**
   * Whether the parent is a stranger's: its trace goes on, but whether it is recorded is for us to say. Nobody shall have us
   * record all that they ask, nor nothing of it.
   */
  isStrangers?: boolean;
  /** What else led to it. */
  links?: readonly string[];
}

/** Records spans. Never throws, never waits for who they are sent to, and keeps few of them for that. */
export interface Tracing {
  begin(start: SpanStart): Span;
  /** Sends what has been recorded, within a second, and ends. */
  stop(): Promise<void>;
}

let running: Tracing | undefined;

/** What records the spans of this process; undefined where nothing does, which is all that it costs then. */
export function currentTracing(): Tracing | undefined {
  return running;
}

/** From here on the process' spans are recorded by this, or by nobody. */
export function setTracing(tracing: Tracing | undefined): void {
  running = tracing;
}
