import { allMessages } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import type { Channel, ConsumeMessage } from 'amqplib';
import { expect } from 'expect';

const PREFETCH = 200;

/** All facts in the log, oldest first. @throws Error when it is empty */
export async function loggedFacts(channel: Channel): Promise<ConsumeMessage[]> {
  await channel.prefetch(PREFETCH);
  const facts: ConsumeMessage[] = [];
  const { consumerTag } = await channel.consume(
    'facts.log',
    (message) => {
      if (message === null) return;
      channel.ack(message);
      facts.push(message);
    },
    { arguments: { 'x-stream-offset': 'first' } },
  );
  let seen = -1;
  await eventually(
    () => {
      const isStill = seen === facts.length;
      seen = facts.length;
      expect(isStill && seen > 0).toBe(true);
    },
    { timeoutMs: 60_000, everyMs: 1000 },
  );
  await channel.cancel(consumerTag);
  return facts;
}

/** The queues to which a fact was routed. */
export function consumersOf({ fields }: ConsumeMessage): readonly string[] {
  return allMessages.find(({ key, exchange }) => key === fields.routingKey && exchange === 'facts')?.consumers ?? [];
}

/** Puts a logged fact into a queue again. */
export function sendAgain(channel: Channel, queue: string, { properties, content }: ConsumeMessage): void {
  const { headers, messageId, type, contentType } = properties;
  channel.sendToQueue(queue, content, {
    persistent: true,
    headers: { ...headers },
    ...defined({ messageId, type, contentType }),
  });
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
