import type { LogPosition } from './message-bus.ts';

/** `<log id>-<offset>`, where the offset is that of the fact before. */
export function logPosition(logId: string, offset: number): LogPosition {
  return `${logId}-${offset}`;
}

/** Where the log begins and ends: offsets of its oldest and newest fact. */
export interface LogBounds {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * The offset after which to read, and whether facts may have been missed: a position that is malformed, of another log,
 * ahead of the log, or so old that the next fact is no longer kept, means the oldest kept fact.
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
