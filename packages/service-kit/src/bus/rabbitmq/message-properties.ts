import type { MessageType } from '@lobbystats/contracts';
import type { ConsumeMessage, Options } from 'amqplib';
import { PRIORITY } from './topology.ts';

const STRINGS = ['messageId', 'contentType', 'type', 'appId'] as const;
const NUMBERS = ['priority', 'timestamp'] as const;

/** The AMQP properties of a message, beside those of one delivery. */
export type MessageProperties = Pick<Options.Publish, 'headers' | (typeof STRINGS)[number] | (typeof NUMBERS)[number]>;

/** Tools of RabbitMQ show them beside a body; consumers read the envelope. `timestamp`: seconds, of the publication. */
export function propertiesOf(
  { key, producer }: Pick<MessageType, 'key' | 'producer'>,
  { id, isLowPriority, nowMs }: { id: string; isLowPriority: boolean; nowMs: number },
): MessageProperties {
  return {
    messageId: id,
    contentType: 'application/json',
    type: key,
    timestamp: Math.floor(nowMs / 1000),
    appId: producer,
    priority: isLowPriority ? PRIORITY.past : PRIORITY.live,
  };
}

/** Properties of a copy, such as a retry or a dead letter: all but the headers. */
export function copiedProperties({ properties }: Pick<ConsumeMessage, 'properties'>): MessageProperties {
  const all = properties as unknown as Record<string, unknown>;
  const keep = (names: readonly string[], kind: 'string' | 'number') =>
    names.flatMap((name) => (typeof all[name] === kind ? [[name, all[name]] as const] : []));
  return Object.fromEntries([...keep(STRINGS, 'string'), ...keep(NUMBERS, 'number')]);
}
