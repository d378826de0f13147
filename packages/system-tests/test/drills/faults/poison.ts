import { randomUUID } from 'node:crypto';
import { allMessages } from '@lobbystats/contracts';
import { connect, type ConfirmChannel } from 'amqplib';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { deadLetters, purgeDeadLetters } from '../dead-letters.ts';
import type { StackDrill } from '../drill.ts';
import type { StackStage } from '../stages/stack-stage.ts';

const VALID_ENVELOPE = {
  version: 1,
  occurredAt: '2026-01-31T12:00:00Z',
  origin: 'simulated',
  past: false,
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
};
const QUEUES = ['series-api', 'catalog-api', 'user-api', 'reputation-api', 'collector'];
/** A queue is read in order: messages wait behind a backfill or a slot that is processed meanwhile. */
const QUEUES_EMPTY_MS = 180_000;
const POISON_MESSAGES: readonly [string, string, string | Buffer][] = [
  ['observations', 'slot.observed', '{"id": "broken'],
  ['observations', 'slot.observed', Buffer.from([0xff, 0xfe, 0x00])],
  [
    'observations',
    'players.observed',
    JSON.stringify({ ...VALID_ENVELOPE, id: randomUUID(), type: 'players.observed', data: { players: 'none' } }),
  ],
  [
    'observations',
    'title.observed',
    JSON.stringify({ ...VALID_ENVELOPE, id: randomUUID(), type: 'slot.observed', data: {} }),
  ],
  [
    'observations',
    'board.observed',
    JSON.stringify({ ...VALID_ENVELOPE, id: randomUUID(), type: 'board.observed', origin: 'another', data: {} }),
  ],
  ['facts', 'rating.stored', '[]'],
  ['observations', 'slot.observed', Buffer.alloc(10 * 1024 * 1024, ' ')],
];

/** The services that receive a dead letter: every consumer of a message gets its own. */
const DEAD_LETTERS = POISON_MESSAGES.flatMap(
  ([, key]) => allMessages.find((type) => type.key === key)?.consumers ?? [],
);

export const poison: StackDrill = {
  number: 8,
  name: 'unreadable messages',
  on: 'stack',
  isShort: true,
  isFault: true,
  run: async (stage) => {
    expect(await deadLetters(stage)).toEqual([]);
    const connection = await connect(amqpUrl(stage));
    const channel = await connection.createConfirmChannel();
    try {
      for (const [exchange, key, body] of POISON_MESSAGES) await publish(channel, exchange, key, body);
      const depthOf = async (queue: string) => (await channel.checkQueue(queue)).messageCount;
      const depths = async () => {
        const all = await Promise.all(QUEUES.map((queue) => depthOf(`${queue}.dead`)));
        return all.reduce((sum, depth) => sum + depth);
      };
      await eventually(async () => expect(await depths()).toBe(DEAD_LETTERS.length), {
        timeoutMs: QUEUES_EMPTY_MS,
        everyMs: 200,
      });
      for (const queue of QUEUES) {
        await eventually(async () => expect(await depthOf(queue)).toBe(0), {
          timeoutMs: QUEUES_EMPTY_MS,
          everyMs: 200,
        });
      }
      const letters = await deadLetters(stage);
      expect(letters.map(({ queue }) => queue).sort()).toEqual(DEAD_LETTERS.toSorted());
      await purgeDeadLetters(stage);
      await eventually(async () => expect(await depths()).toBe(0), { timeoutMs: 10_000, everyMs: 200 });
      const byQueue = Object.entries(Object.groupBy(DEAD_LETTERS, (queue) => queue)).map(
        ([queue, all]) => `${all.length} of ${queue}`,
      );
      return [
        `${POISON_MESSAGES.length} messages (broken JSON, no text, wrong schemas, another network's, 10 MB): dead letters, ${byQueue.join(', ')}; queues of ${QUEUES.join(', ')} empty afterwards`,
      ];
    } finally {
      for (const queue of QUEUES) await channel.purgeQueue(`${queue}.dead`);
      await connection.close();
    }
  },
};

/** URL of the broker with administrator rights. */
export function amqpUrl({ settings }: StackStage): string {
  return `amqp://admin:${settings['RABBITMQ_ADMIN_PASSWORD']}@127.0.0.1:${settings['RABBITMQ_PORT']}/lobbystats`;
}

/** Resolves when the broker has confirmed the message. */
export function publish(channel: ConfirmChannel, exchange: string, key: string, body: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.publish(
      exchange,
      key,
      Buffer.from(body),
      { persistent: true, messageId: randomUUID() },
      (error: Error | null | undefined) => (error === null || error === undefined ? resolve() : reject(error)),
    );
  });
}
