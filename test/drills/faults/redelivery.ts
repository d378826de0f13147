import { randomInt } from 'node:crypto';
import { connect, type ConsumeMessage } from 'amqplib';
import { eventually } from '@lobbystats/test-kit';
import { allMessages } from '@lobbystats/contracts';
import { expect } from 'expect';
import { samplePaths } from '../abuse/sample-paths.ts';
import type { StackDrill } from '../drill.ts';
import type { StackStage } from '../stages/stack-stage.ts';
import { deadLetters } from './dead-letters.ts';
import { knownNames } from './known-names.ts';
import { amqpUrl } from './poison.ts';
import { betweenSlots } from './slots.ts';

const TIMES = 10;
const MOST_MESSAGES = 400;

export const redelivery: StackDrill = {
  number: 7,
  name: 'every fact ten times, out of order',
  on: 'stack',
  isFault: true,
  run: async (stage) => {
    const connection = await connect(amqpUrl(stage));
    try {
      const channel = await connection.createConfirmChannel();
      await channel.prefetch(200);
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
      const consumed = facts.filter(({ fields }) => consumersOf(fields.routingKey).length > 0).slice(-MOST_MESSAGES);
      expect(consumed.length).toBeGreaterThan(10);
      await betweenSlots(60);
      const before = await stateOf(stage);
      const again = shuffled(consumed.flatMap((message) => Array.from({ length: TIMES }, () => message)));
      for (const { fields, properties, content } of again) {
        const { headers, messageId, type, contentType } = properties;
        for (const queue of consumersOf(fields.routingKey)) {
          channel.sendToQueue(queue, content, {
            persistent: true,
            headers: { ...headers },
            ...defined({ messageId, type, contentType }),
          });
        }
      }
      await channel.waitForConfirms();
      for (const queue of ['series-api', 'catalog-api', 'user-api', 'reputation-api']) {
        await eventually(async () => expect((await channel.checkQueue(queue)).messageCount).toBe(0), {
          timeoutMs: 90_000,
          everyMs: 200,
        });
      }
      const after = await stateOf(stage);
      const changed = [...before].filter(([path, text]) => after.get(path) !== text).map(([path]) => path);
      expect(changed).toEqual([]);
      expect(await deadLetters(stage)).toEqual([]);
      return [
        `${consumed.length} facts of the log, ${TIMES} times each in random order (${again.length} deliveries): ${before.size} answers are the same bytes; no dead letter`,
      ];
    } finally {
      await connection.close();
    }
  },
};

function consumersOf(key: string): readonly string[] {
  return allMessages.find((message) => message.key === key && message.exchange === 'facts')?.consumers ?? [];
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: randomInt(2 ** 32) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** What is told of everything and of a hundred people, by path. */
async function stateOf(stage: StackStage): Promise<Map<string, string>> {
  const people = await knownNames(stage, 20);
  const ofPeople = people.flatMap((name) => [
    `/api/profile/${encodeURIComponent(name)}`,
    `/api/profile/${encodeURIComponent(name)}/reputation`,
  ]);
  const state = new Map<string, string>();
  for (const path of [...(await samplePaths(stage)), ...ofPeople]) state.set(path, (await stage.ask(path)).text);
  return state;
}
