import { createHash } from 'node:crypto';
import { formatInstant, type ServiceName } from '@lobbystats/contracts';
import type { MessageProperties, GetMessage } from 'amqplib';
import type { DeadLetter } from '../message-bus.ts';
import { oneLine } from '../one-line.ts';

interface MessageHeaders {
  readonly attempt: number;
  /** RabbitMQ's own `expiration` would dead-letter messages. */
  readonly expiresAtMs: number | undefined;
}

const ATTEMPT = 'x-attempt';
const EXPIRES_AT_MS = 'x-expires-at-ms';

export function readHeaders(properties: Pick<MessageProperties, 'headers'>): MessageHeaders {
  return {
    attempt: Math.max(readCount(properties, ATTEMPT) ?? 1, 1),
    expiresAtMs: readCount(properties, EXPIRES_AT_MS),
  };
}

export function writeHeaders({ attempt, expiresAtMs }: MessageHeaders): Record<string, number> {
  return {
    ...(attempt === 1 ? {} : { [ATTEMPT]: attempt }),
    ...(expiresAtMs === undefined ? {} : { [EXPIRES_AT_MS]: expiresAtMs }),
  };
}

export function readCount({ headers }: Pick<MessageProperties, 'headers'>, name: string): number | undefined {
  const value: unknown = headers?.[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function readText({ headers }: Pick<MessageProperties, 'headers'>, name: string): string | undefined {
  const value: unknown = headers?.[name];
  return typeof value === 'string' ? value : undefined;
}

const ID = 'x-dead-id';
const REASON = 'x-dead-reason';
const ATTEMPTS = 'x-dead-attempts';
const DIED_AT_MS = 'x-dead-at-ms';

/** IDs are microseconds since this time. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
const MAX_ID = 999_999_999_999_999;

export class DeadLetterIdGenerator {
  #last = 0;

  next(nowMs: number): number {
    this.#last = Math.max(this.#last + 1, Math.floor((nowMs - EPOCH_MS) * 1000 + Math.random() * 1000));
    return this.#last;
  }
}

interface DeathRecord {
  readonly id: number;
  readonly reason: string;
  readonly attempts: number;
  readonly diedAtMs: number;
}

export function writeDeathHeaders({ id, reason, attempts, diedAtMs }: DeathRecord): Record<string, string | number> {
  return { [ID]: id, [REASON]: reason, [ATTEMPTS]: attempts, [DIED_AT_MS]: diedAtMs };
}

export function toDeadLetter(queue: ServiceName, message: GetMessage): DeadLetter {
  const { properties, content } = message;
  const diedAtMs = readCount(properties, DIED_AT_MS) ?? brokerTimeMs(message);
  return {
    id: String(deadLetterId(message)),
    queue,
    reason: oneLine(readText(properties, REASON) ?? brokerReason(message)),
    attempts: readCount(properties, ATTEMPTS) ?? readHeaders(properties).attempt,
    diedAt: formatInstant(Math.floor(diedAtMs / 1000)),
    body: content.toString(),
  };
}

export function deadLetterId(message: GetMessage): number {
  const id = readCount(message.properties, ID);
  if (id !== undefined && id <= MAX_ID) return id;
  const hash = createHash('sha256').update(message.content).update(String(message.properties.messageId)).digest();
  return (brokerTimeMs(message) - EPOCH_MS) * 1000 + (hash.readUInt32BE() % 1_000_000);
}

function brokerReason({ properties }: GetMessage): string {
  const reason = readText(properties, 'x-last-death-reason') ?? readText(properties, 'x-first-death-reason');
  if (reason === 'delivery_limit')
    return 'reached the delivery limit without an acknowledgement: its consumer crashed or hung';
  return reason === undefined ? 'unknown' : `dead-lettered by the broker: ${reason}`;
}

/** The broker counts whole seconds. */
function brokerTimeMs({ properties }: GetMessage): number {
  const deaths: unknown = properties.headers?.['x-death'];
  const newest: unknown = Array.isArray(deaths) ? deaths[0] : undefined;
  const time: unknown = typeof newest === 'object' && newest !== null && 'time' in newest ? newest.time : undefined;
  const seconds =
    typeof time === 'object' && time !== null && 'value' in time && typeof time.value === 'number' ? time.value : 0;
  return Math.max(seconds * 1000, EPOCH_MS);
}
