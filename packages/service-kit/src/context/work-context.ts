import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Tracing } from '../tracing/tracing.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
export function requestIdOf(header: unknown): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}

/** `version-traceId-parentId-flags`: https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

export function newTraceparent(): string {
  return `00-${randomUUID().replaceAll('-', '')}-${newSpanId()}-00`;
}

/** `randomUUID` buffers entropy; each `randomBytes` is a system call. */
function newSpanId(): string {
  const uuid = randomUUID();
  return uuid.slice(0, 8) + uuid.slice(-8);
}

/** A child context of `parent` with the parent's flags; a new trace where `parent` is absent or malformed. */
export function continueTrace(parent: unknown): string {
  const [, traceId, flags] = TRACEPARENT.exec(typeof parent === 'string' ? parent : '') ?? [];
  return traceId === undefined ? newTraceparent() : `00-${traceId}-${newSpanId()}-${flags}`;
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** Request or message being processed: written to logs, propagated by calls and messages. */
export interface WorkContext {
  readonly requestId?: string;
  readonly messageId?: string;
  readonly traceparent: string;
  /** The client's network: its IPv4 address or IPv6 /64. Sent to upstreams that verify sessions; never logged. */
  readonly client?: string | undefined;
  /** The service that does the work; set only where a span is recorded. */
  readonly service?: string | undefined;
}

export const context = new AsyncLocalStorage<WorkContext>();

let running: Tracing | undefined;

/** @returns undefined if tracing is off */
export function currentTracing(): Tracing | undefined {
  return running;
}

export function setTracing(tracing: Tracing | undefined): void {
  running = tracing;
}
