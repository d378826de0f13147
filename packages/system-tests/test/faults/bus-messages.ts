import { randomInt, randomUUID } from 'node:crypto';
import { allMessages } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { connect, type Channel, type ConfirmChannel, type ConsumeMessage, type Options } from 'amqplib';
import { compose } from '../compose/stack.ts';

const ENVELOPE = {
  version: 1,
  occurredAt: '2026-01-31T12:00:00Z',
  origin: 'simulated',
  past: false,
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
};
const envelope = (fields: object) => JSON.stringify({ ...ENVELOPE, id: randomUUID(), ...fields });
const POISON: readonly [exchange: string, key: string, body: string | Buffer][] = [
  ['observations', 'slot.observed', '{"id": "broken'],
  ['observations', 'slot.observed', Buffer.from([0xff, 0xfe, 0x00])],
  ['observations', 'players.observed', envelope({ type: 'players.observed', data: { players: 'none' } })],
  ['observations', 'title.observed', envelope({ type: 'slot.observed', data: {} })],
  ['observations', 'board.observed', envelope({ type: 'board.observed', origin: 'another', data: {} })],
  ['facts', 'rating.stored', '[]'],
  ['observations', 'slot.observed', Buffer.alloc(10 * 1024 * 1024, ' ')],
];
const consumersOf = (key: string) => allMessages.find((message) => message.key === key)?.consumers ?? [];
/** The queues of the dead letters: each consumer of an unreadable message gets its own. */
export const POISONED_QUEUES = POISON.flatMap(([, key]) => consumersOf(key)).toSorted();

/** Runs the work on a channel of the broker, with an administrator's rights. */
async function withChannel<Result>(work: (channel: ConfirmChannel) => Promise<Result>): Promise<Result> {
  const password = await compose('exec', '-T', 'rabbitmq', 'cat', '/run/secrets/RABBITMQ_ADMIN_PASSWORD');
  const connection = await connect(`amqp://admin:${password}@${await compose('port', 'rabbitmq', '5672')}/lobbystats`);
  try {
    return await work(await connection.createConfirmChannel());
  } finally {
    await connection.close();
  }
}

/** Publishes unreadable messages: broken JSON, no text, wrong schemas, of another network, of 10 MB. */
export function publishPoison(): Promise<void> {
  return withChannel(async (channel) => {
    for (const [exchange, key, body] of POISON)
      channel.publish(exchange, key, Buffer.from(body), { persistent: true, messageId: randomUUID() });
    await channel.waitForConfirms();
  });
}

/** Puts the newest facts of the log into the queues of their consumers again, several times and in random order. */
export function redeliverFacts(count: number, times: number): Promise<void> {
  return withChannel(async (channel) => {
    const facts = (await loggedFacts(channel)).filter(({ fields }) => consumersOf(fields.routingKey).length > 0);
    const repeated = facts.slice(-count).flatMap((fact) => Array.from({ length: times }, () => fact));
    expect(repeated.length).toBeGreaterThan(times * 10);
    for (const { properties, content, fields } of shuffled(repeated)) {
      const { headers, messageId, type, contentType } = properties as Options.Publish;
      const options = { persistent: true, headers: { ...headers }, messageId, type, contentType } as Options.Publish;
      for (const queue of consumersOf(fields.routingKey)) channel.sendToQueue(queue, content, options);
    }
    await channel.waitForConfirms();
  });
}

/** All facts in the log, oldest first: everything that arrives until nothing has for a second. */
async function loggedFacts(channel: Channel): Promise<ConsumeMessage[]> {
  const facts: ConsumeMessage[] = [];
  let before = -1;
  await channel.prefetch(200);
  const take = (message: ConsumeMessage | null): void => {
    if (message === null) return;
    channel.ack(message);
    facts.push(message);
  };
  const { consumerTag } = await channel.consume('facts.log', take, { arguments: { 'x-stream-offset': 'first' } });
  await eventually(
    () => {
      const isComplete = before === facts.length && facts.length > 0;
      before = facts.length;
      expect(isComplete).toBe(true);
    },
    // The log of a whole stack has hundreds of thousands of facts.
    { timeoutMs: 600_000, everyMs: 1000 },
  );
  await channel.cancel(consumerTag);
  return facts;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const placed = items.map((item) => ({ item, place: randomInt(2 ** 32) }));
  return placed.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}
