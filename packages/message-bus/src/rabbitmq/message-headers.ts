import type { MessageProperties } from 'amqplib';

export interface MessageHeaders {
  readonly attempt: number;
  readonly remainingMs: number;
  /** RabbitMQ's own `expiration` would dead-letter messages. */
  readonly expiresAtMs: number | undefined;
}

const ATTEMPT = 'x-attempt';
const REMAINING_MS = 'x-remaining-ms';
const EXPIRES_AT_MS = 'x-expires-at-ms';

export function readHeaders(properties: Pick<MessageProperties, 'headers'>): MessageHeaders {
  return {
    attempt: Math.max(readCount(properties, ATTEMPT) ?? 1, 1),
    remainingMs: readCount(properties, REMAINING_MS) ?? 0,
    expiresAtMs: readCount(properties, EXPIRES_AT_MS),
  };
}

export function writeHeaders({ attempt, remainingMs, expiresAtMs }: MessageHeaders): Record<string, number> {
  return {
    ...(attempt === 1 ? {} : { [ATTEMPT]: attempt }),
    ...(remainingMs === 0 ? {} : { [REMAINING_MS]: remainingMs }),
    ...(expiresAtMs === undefined ? {} : { [EXPIRES_AT_MS]: expiresAtMs }),
  };
}

export function readCount({ headers }: Pick<MessageProperties, 'headers'>, name: string): number | undefined {
  const value: unknown = headers?.[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function readText({ headers }: Pick<MessageProperties, 'headers'>, name: string): string | undefined {
  const value: unknown = headers?.[name];
  return typeof value === 'string' ? value : undefined;
}
