import { randomUUID } from 'node:crypto';
import { envelope, formatInstant, messagesByKey, type Message, type MessageType } from '@lobbystats/contracts';
import { AppError, messageOf } from '@lobbystats/contracts/errors';
import type { z } from 'zod';
import type { PublishOptions } from './message-bus.ts';
import { oneLine } from './one-line.ts';

/** 8 MiB. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

export interface EncodedMessage {
  readonly type: MessageType;
  readonly id: string;
  readonly body: string;
  readonly isLowPriority: boolean;
  readonly expiresAtMs: number | undefined;
}

interface EnvelopeContext {
  readonly origin: string;
  readonly traceparent: string;
  readonly clock: () => number;
}

/**
 * Builds, validates and serialises the envelope.
 *
 * @throws AppError `invalid` when the type is unknown, the data or an option is invalid, or the body is larger than
 * {@link MAX_BODY_BYTES}: a bug of the publisher
 */
export function encodeMessage<Data extends z.ZodType>(
  type: MessageType<Data>,
  data: z.input<Data>,
  { id = randomUUID(), occurredAt, past = false, expiresAtMs }: PublishOptions,
  { origin, traceparent, clock }: EnvelopeContext,
): EncodedMessage {
  const { key, version } = type;
  if (messagesByKey.get(key) !== type) throw new AppError('invalid', `${key} is not a known message type`);
  if (expiresAtMs !== undefined && !Number.isSafeInteger(expiresAtMs)) {
    throw new AppError('invalid', `${key}: expiresAtMs must be whole epoch milliseconds`);
  }
  const checkedData = type.data.safeParse(data);
  if (!checkedData.success) throw toInvalidError(key, 'data', checkedData.error);
  const checked = envelope.safeParse({
    id,
    type: key,
    version,
    occurredAt: toInstant(key, occurredAt ?? Math.floor(clock() / 1000)),
    origin,
    past,
    traceparent,
    data: checkedData.data,
  });
  if (!checked.success) throw toInvalidError(key, 'envelope', checked.error);
  const body = JSON.stringify(checked.data);
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new AppError('invalid', `${key} is larger than ${MAX_BODY_BYTES} bytes`);
  return { type, id, body, isLowPriority: isLowPriority(type, checked.data), expiresAtMs };
}

/** Whether live messages may overtake it: past and ordered messages. */
export function isLowPriority(type: MessageType, { past }: Pick<Message, 'past'>): boolean {
  return past || type.ordered === true;
}

/** The first issue of an invalid part of an envelope, in one line. */
export function firstIssue(error: z.ZodError, root: string): string {
  const [first] = error.issues;
  const path = [root, ...(first?.path ?? [])].map(String).join('.');
  return oneLine(`${path}: ${first?.message ?? 'does not fit'}`);
}

function toInstant(key: string, seconds: number): string {
  try {
    return formatInstant(seconds);
  } catch (error) {
    throw new AppError('invalid', `${key}: occurredAt: ${messageOf(error)}`, { cause: error });
  }
}

function toInvalidError(key: string, part: string, error: z.ZodError): AppError {
  return new AppError('invalid', `${key}: ${firstIssue(error, part)}`, { cause: error });
}
