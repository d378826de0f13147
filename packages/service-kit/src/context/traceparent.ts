import { randomHex } from './random-hex.ts';

/**
 * W3C trace context, https://www.w3.org/TR/trace-context/#traceparent-header:
 * `version-traceId-parentId-flags`, in lower-case hexadecimal.
 */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Nobody records spans here, so none is sampled; a caller's own flags are handed on. */
const NOT_SAMPLED = '00';

/** The context of work that nobody's trace led to. */
export function newTraceparent(): string {
  return `00-${randomHex(32)}-${randomHex(16)}-${NOT_SAMPLED}`;
}

/** The context of work done for `parent`: its trace, a span of its own. A new trace where `parent` is absent or malformed. */
export function continueTrace(parent: unknown): string {
  if (typeof parent !== 'string' || !TRACEPARENT.test(parent)) return newTraceparent();
  return `00-${traceIdOf(parent)}-${randomHex(16)}-${parent.slice(53)}`;
}

/** The trace that a `traceparent` belongs to. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
