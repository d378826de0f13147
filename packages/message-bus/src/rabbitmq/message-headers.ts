import type { MessageProperties } from 'amqplib';

/** What travels beside a body. */
export interface MessageHeaders {
  /** Which attempt at handling it the next one is. */
  readonly attempt: number;
  /** How long it is still to wait before that, in milliseconds. */
  readonly remainingMs: number;
  /** Epoch milliseconds. Not RabbitMQ's `expiration`, which would make dead letters of what nobody wants. */
  readonly expiresAtMs: number | undefined;
}

const ATTEMPT = 'x-attempt';
const REMAINING_MS = 'x-remaining-ms';
const EXPIRES_AT_MS = 'x-expires-at-ms';

/** Reads headers that anybody may have set. */
export function readHeaders(properties: Pick<MessageProperties, 'headers'>): MessageHeaders {
  return {
    attempt: Math.max(countOf(properties, ATTEMPT) ?? 1, 1),
    remainingMs: countOf(properties, REMAINING_MS) ?? 0,
    expiresAtMs: countOf(properties, EXPIRES_AT_MS),
  };
}

export function writeHeaders({ attempt, remainingMs, expiresAtMs }: MessageHeaders): Record<string, number> {
  return {
    ...(attempt === 1 ? {} : { [ATTEMPT]: attempt }),
    ...(remainingMs === 0 ? {} : { [REMAINING_MS]: remainingMs }),
    ...(expiresAtMs === undefined ? {} : { [EXPIRES_AT_MS]: expiresAtMs }),
  };
}

/** A header that is a whole number, or undefined. */
export function countOf({ headers }: Pick<MessageProperties, 'headers'>, name: string): number | undefined {
  const value: unknown = headers?.[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A header that is a text, or undefined. */
export function textOf({ headers }: Pick<MessageProperties, 'headers'>, name: string): string | undefined {
  const value: unknown = headers?.[name];
  return typeof value === 'string' ? value : undefined;
}
