import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import type { Tracing } from '../tracing/tracing.ts';

const block = Buffer.alloc(4096);
let digitsLeft = '';

/** Random lower-case hexadecimal digits. Not for secrets: the block stays in memory. */
function randomHex(digits: number): string {
  if (digitsLeft.length < digits) digitsLeft = randomFillSync(block).toString('hex');
  const drawn = digitsLeft.slice(0, digits);
  digitsLeft = digitsLeft.slice(digits);
  return drawn;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Drawn once per process: a random ID per request costs more than the rest of a cached response's head. */
const PROCESS_PREFIX = [8, 4, 4, 4].map(randomHex).join('-');
let requests = 0;

export function requestIdOf(header: unknown): string {
  if (typeof header === 'string' && REQUEST_ID.test(header)) return header;
  requests += 1;
  return `${PROCESS_PREFIX}-${requests.toString(16).padStart(12, '0')}`;
}

/** `version-traceId-parentId-flags`: https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export function newTraceparent(): string {
  return `00-${randomHex(32)}-${randomHex(16)}-00`;
}

/** A child context of `parent` with the parent's flags; a new trace where `parent` is absent or malformed. */
export function continueTrace(parent: unknown): string {
  if (typeof parent !== 'string' || !TRACEPARENT.test(parent)) return newTraceparent();
  return `00-${traceIdOf(parent)}-${randomHex(16)}-${parent.slice(53)}`;
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
