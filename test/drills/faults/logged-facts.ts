import { allMessages } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import type { Channel, ConsumeMessage } from 'amqplib';
import { expect } from 'expect';

const PREFETCH = 200;

/** All that the log of facts has now, the oldest first. @throws Error when it has nothing */
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

/** The queues that a fact of the log had come into. */
export function consumersOf({ fields }: ConsumeMessage): readonly string[] {
  return allMessages.find(({ key, exchange }) => key === fields.routingKey && exchange === 'facts')?.consumers ?? [];
}

/** Puts a fact of the log into a queue once more. */
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
