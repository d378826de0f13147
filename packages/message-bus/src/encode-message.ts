import { randomUUID } from 'node:crypto';
import { envelope, formatInstant, type Envelope, type MessageType } from '@lobbystats/contracts';
import { AppError, messageOf } from '@lobbystats/errors';
import type { z } from 'zod';
import { isOversized, MAX_BODY_BYTES } from './body-size.ts';
import type { PublishOptions } from './message-bus.ts';
import { typeOf } from './routing.ts';
import { firstIssue } from './first-issue.ts';

export interface EnvelopeContext {
  readonly origin: string;
  readonly traceparent: () => string;
  readonly clock: () => number;
}

/**
 * Builds and validates the envelope.
 *
 * @throws AppError `invalid` when the type is unknown, or the data or an option is invalid: a bug of the publisher
 */
export function createEnvelope<Data extends z.ZodType>(
  type: MessageType<Data>,
  data: z.input<Data>,
  options: PublishOptions,
  { origin, traceparent, clock }: EnvelopeContext,
): Envelope {
  if (typeOf(type.key) !== type) throw new AppError('invalid', `${type.key} is not a known message type`);
  if (options.expiresAtMs !== undefined && !Number.isSafeInteger(options.expiresAtMs)) {
    throw new AppError('invalid', `${type.key}: expiresAtMs must be whole epoch milliseconds`);
  }
  const checkedData = type.data.safeParse(data);
  if (!checkedData.success) throw toInvalidError(type, 'data', checkedData.error);
  const checked = envelope.safeParse({
    id: options.id ?? randomUUID(),
    type: type.key,
    version: type.version,
    occurredAt: toInstant(type, options.occurredAt ?? Math.floor(clock() / 1000)),
    origin,
    past: options.past ?? false,
    traceparent: traceparent(),
    data: checkedData.data,
  });
  if (!checked.success) throw toInvalidError(type, 'envelope', checked.error);
  return checked.data;
}

/** @throws AppError `invalid` when it is larger than {@link MAX_BODY_BYTES} */
export function encodeMessage(message: Envelope): string {
  const body = JSON.stringify(message);
  if (isOversized(body)) throw new AppError('invalid', `${message.type} is larger than ${MAX_BODY_BYTES} bytes`);
  return body;
}

function toInstant(type: Pick<MessageType, 'key'>, seconds: number): string {
  try {
    return formatInstant(seconds);
  } catch (error) {
    throw new AppError('invalid', `${type.key}: occurredAt: ${messageOf(error)}`, { cause: error });
  }
}

function toInvalidError(type: Pick<MessageType, 'key'>, part: string, error: z.ZodError): AppError {
  return new AppError('invalid', `${type.key}: ${firstIssue(error, part)}`, { cause: error });
}
