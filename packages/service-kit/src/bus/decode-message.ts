import { envelope, messagesByKey, type Message, type MessageType } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/contracts/errors';
import type { z } from 'zod';
import type { BusHooks } from './bus-hooks.ts';
import { firstIssue, MAX_BODY_BYTES } from './encode-message.ts';
import type { LogReader } from './message-bus.ts';
import { oneLine } from './one-line.ts';

/** A valid message with its type, or the reason why the body is invalid, in one line. */
type DecodeResult =
  | { readonly message: Message; readonly type: MessageType }
  | { readonly fault: string; readonly type?: MessageType; readonly isTypeUnknown?: boolean };

/** Fields that a newer publisher has added are left out. @param types by key */
export function decodeMessage(body: string, origin: string, types = messagesByKey): DecodeResult {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) return { fault: `larger than ${MAX_BODY_BYTES} bytes` };
  const json = parseJson(body);
  if ('fault' in json) return json;
  const wrapped = parseGrown(envelope, json.value);
  if (!wrapped.success) return { fault: firstIssue(wrapped.error, 'envelope') };
  const type = types.get(wrapped.data.type);
  if (type === undefined) return { fault: oneLine(`unknown type ${wrapped.data.type}`), isTypeUnknown: true };
  if (wrapped.data.origin !== origin) {
    return { fault: oneLine(`is from the network ${wrapped.data.origin}, not ${origin}`), type };
  }
  const { version } = wrapped.data;
  const schema = version === type.version ? type.data : version === type.version - 1 ? type.previous : undefined;
  if (schema === undefined)
    return { fault: `version ${version} of ${type.key} is not supported: expected ${type.version}`, type };
  const data = parseGrown(schema, wrapped.data.data);
  if (!data.success) return { fault: firstIssue(data.error, 'data'), type };
  return { message: { ...wrapped.data, version: type.version, data: data.data }, type };
}

/** Parses JSON without the fields that the schema does not know. */
function parseGrown<Schema extends z.ZodType>(schema: Schema, json: unknown): z.ZodSafeParseResult<z.output<Schema>> {
  const parsed = schema.safeParse(json);
  const unknown = parsed.error?.issues.filter((issue) => issue.code === 'unrecognized_keys') ?? [];
  if (unknown.length === 0) return parsed;
  for (const { path, keys } of unknown) {
    const holder = path.reduce((inner, key) => Reflect.get(inner, key) as object, json as object);
    for (const key of keys) Reflect.deleteProperty(holder, key);
  }
  return schema.safeParse(json);
}

function parseJson(body: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(body) as unknown };
  } catch (error) {
    return { fault: oneLine(`not JSON: ${messageOf(error)}`) };
  }
}

/** The envelope of a message about the past, in the field order of `encodeMessage`. Others are parsed. */
const PAST_ENVELOPE =
  /^\{"id":"[^"\\]*","type":"[^"\\]*","version":\d+,"occurredAt":"[^"\\]*","origin":"[^"\\]*","past":true,/;

/** Undefined for an unreadable fact, and for one that the reader leaves out: also one of a type that only a later release knows. */
export function readFact(
  body: string,
  { isLiveOnly = false }: Pick<LogReader, 'isLiveOnly'>,
  { origin, hooks }: { origin: string; hooks: BusHooks },
): Message | undefined {
  if (isLiveOnly && PAST_ENVELOPE.test(body)) return undefined;
  const decoded = decodeMessage(body, origin);
  if (!('fault' in decoded)) return isLiveOnly && decoded.message.past ? undefined : decoded.message;
  if (decoded.isTypeUnknown === true) return undefined;
  const type = decoded.type === undefined ? {} : { type: decoded.type.key };
  hooks.event('dead', { ...type, reason: decoded.fault, count: 1 });
  return undefined;
}
