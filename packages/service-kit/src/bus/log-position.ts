import type { LogPosition } from './message-bus.ts';

export function toLogPosition(logId: string, offset: number): LogPosition {
  return `${logId}-${offset}`;
}

export interface LogBounds {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Returns the offset to read after, and whether facts may be missing. Unknown and expired positions resume at the oldest
 * kept fact.
 */
export function resolvePosition(
  from: LogPosition,
  logId: string,
  { oldest, newest }: LogBounds,
): { after: number; reset: boolean } {
  const start = oldest - 1;
  if (from === 'start') return { after: start, reset: false };
  if (from === 'end') return { after: newest, reset: false };
  const offset = from.startsWith(`${logId}-`) ? parseOffset(from.slice(logId.length + 1)) : undefined;
  if (offset === undefined || offset < start || offset > newest) return { after: start, reset: true };
  return { after: offset, reset: false };
}

function parseOffset(digits: string): number | undefined {
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}
