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

const REASON = 'x-dead-reason';
const DIED_AT_MS = 'x-dead-at-ms';

interface DeathRecord {
  readonly reason: string;
  readonly diedAtMs: number;
}

export function writeDeathHeaders({ reason, diedAtMs }: DeathRecord): Record<string, string | number> {
  return { [REASON]: reason, [DIED_AT_MS]: diedAtMs };
}

export function toDeadLetter(queue: ServiceName, message: GetMessage): DeadLetter {
  const { properties, content } = message;
  return {
    id: deadLetterId(queue, message),
    queue,
    reason: oneLine(readText(properties, REASON) ?? brokerReason(message)),
    attempts: readHeaders(properties).attempt,
    diedAt: formatInstant(Math.floor(diedAtMs(message) / 1000)),
    body: content.toString(),
  };
}

/** Digits, as in the journal: the same ones as long as the message is dead. */
export function deadLetterId(queue: ServiceName, message: GetMessage): string {
  const hash = createHash('sha256').update(`${queue} ${message.properties.messageId} ${diedAtMs(message)} `);
  return String(hash.update(message.content).digest().readUIntBE(0, 6));
}

function brokerReason({ properties }: GetMessage): string {
  const reason = readText(properties, 'x-last-death-reason') ?? readText(properties, 'x-first-death-reason');
  if (reason === 'delivery_limit')
    return 'reached the delivery limit without an acknowledgement: its consumer crashed or hung';
  return reason === undefined ? 'unknown' : `dead-lettered by the broker: ${reason}`;
}

/** The broker, which writes `x-death`, counts whole seconds. */
function diedAtMs({ properties }: GetMessage): number {
  return readCount(properties, DIED_AT_MS) ?? (properties.headers?.['x-death']?.[0]?.time.value ?? 0) * 1000;
}
