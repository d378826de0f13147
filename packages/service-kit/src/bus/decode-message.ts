import { envelope, messagesByKey, type Message, type MessageType } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/contracts/errors';
import type { BusHooks } from './bus-hooks.ts';
import { firstIssue, MAX_BODY_BYTES } from './encode-message.ts';
import type { LogReader } from './message-bus.ts';
import { oneLine } from './one-line.ts';

/** A valid message with its type, or the reason why the body is invalid, in one line. */
type DecodeResult =
  { readonly message: Message; readonly type: MessageType } | { readonly fault: string; readonly type?: MessageType };

export function decodeMessage(body: string, origin: string): DecodeResult {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) return { fault: `larger than ${MAX_BODY_BYTES} bytes` };
  const json = parseJson(body);
  if ('fault' in json) return json;
  const wrapped = envelope.safeParse(json.value);
  if (!wrapped.success) return { fault: firstIssue(wrapped.error, 'envelope') };
  const type = messagesByKey.get(wrapped.data.type);
  if (type === undefined) return { fault: oneLine(`unknown type ${wrapped.data.type}`) };
  const { version } = wrapped.data;
  if (version !== type.version)
    return { fault: `version ${version} of ${type.key} is not supported: expected ${type.version}`, type };
  if (wrapped.data.origin !== origin) {
    return { fault: oneLine(`is from the network ${wrapped.data.origin}, not ${origin}`), type };
  }
  const data = type.data.safeParse(wrapped.data.data);
  if (!data.success) return { fault: firstIssue(data.error, 'data'), type };
  return { message: { ...wrapped.data, data: data.data }, type };
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

/** Undefined for an unreadable fact, and for one that the reader leaves out. */
export function readFact(
  body: string,
  { isLiveOnly = false }: Pick<LogReader, 'isLiveOnly'>,
  { origin, hooks }: { origin: string; hooks: BusHooks },
): Message | undefined {
  if (isLiveOnly && PAST_ENVELOPE.test(body)) return undefined;
  const decoded = decodeMessage(body, origin);
  if (!('fault' in decoded)) return isLiveOnly && decoded.message.past ? undefined : decoded.message;
  const type = decoded.type === undefined ? {} : { type: decoded.type.key };
  hooks.event('dead', { ...type, reason: decoded.fault, count: 1 });
  return undefined;
}
