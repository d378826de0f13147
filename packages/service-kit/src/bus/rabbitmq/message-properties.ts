import type { MessageType } from '@lobbystats/contracts';
import type { ConsumeMessage, Options } from 'amqplib';
import { PRIORITY } from './topology.ts';

/** The AMQP properties of a message, beside those of one delivery. */
export type MessageProperties = Pick<
  Options.Publish,
  'headers' | 'messageId' | 'contentType' | 'type' | 'appId' | 'priority' | 'timestamp'
>;

/** RabbitMQ's tools show them beside a body; consumers read the envelope. `timestamp`: seconds, of the publication. */
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
  const { messageId, contentType, type, appId, priority, timestamp } = properties as MessageProperties;
  return { messageId, contentType, type, appId, priority, timestamp } as MessageProperties;
}
