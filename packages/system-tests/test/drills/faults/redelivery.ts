import { randomInt } from 'node:crypto';
import { connect } from 'amqplib';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { samplePaths } from '../abuse/sample-paths.ts';
import { deadLetters } from '../dead-letters.ts';
import type { StackDrill } from '../drill.ts';
import { consumersOf, loggedFacts, sendAgain } from '../logged-facts.ts';
import type { StackStage } from '../stages/stack-stage.ts';
import { waitBetweenSlots } from '../wait.ts';
import { listUsernames } from './list-usernames.ts';
import { amqpUrl } from './poison.ts';

const TIMES = 10;
const MAX_MESSAGES = 400;

export const redelivery: StackDrill = {
  number: 7,
  name: 'every fact ten times, out of order',
  on: 'stack',
  isFault: true,
  prepare: (stage) => redeliver(stage, 1),
  run: async (stage) => {
    await waitBetweenSlots(60);
    const before = await fetchState(stage);
    const [facts, deliveries] = await redeliver(stage, TIMES);
    const after = await fetchState(stage);
    const changed = [...before].filter(([path, text]) => after.get(path) !== text).map(([path]) => path);
    expect(changed).toEqual([]);
    expect(await deadLetters(stage)).toEqual([]);
    return [
      `${facts} facts of the log, ${TIMES} times each in random order (${deliveries} deliveries): ${before.size} answers are the same bytes; no dead letter`,
    ];
  },
};

/** Delivers the newest facts of the log again, in random order. Resolves to their number, and that of deliveries, when all are processed. */
async function redeliver(stage: StackStage, times: number): Promise<[facts: number, deliveries: number]> {
  const connection = await connect(amqpUrl(stage));
  try {
    const channel = await connection.createConfirmChannel();
    const facts = await loggedFacts(channel);
    const consumed = facts.filter((fact) => consumersOf(fact).length > 0).slice(-MAX_MESSAGES);
    expect(consumed.length).toBeGreaterThan(10);
    const again = shuffled(consumed.flatMap((message) => Array.from({ length: times }, () => message)));
    for (const fact of again) {
      for (const queue of consumersOf(fact)) sendAgain(channel, queue, fact);
    }
    await channel.waitForConfirms();
    for (const queue of ['series-api', 'catalog-api', 'user-api', 'reputation-api']) {
      await eventually(async () => expect((await channel.checkQueue(queue)).messageCount).toBe(0), {
        timeoutMs: 90_000,
        everyMs: 200,
      });
    }
    return [consumed.length, again.length];
  } finally {
    await connection.close();
  }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: randomInt(2 ** 32) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** Responses of all public routes and of 20 users, by path. */
async function fetchState(stage: StackStage): Promise<Map<string, string>> {
  const usernames = await listUsernames(stage, 20);
  const userPaths = usernames.flatMap((name) => [
    `/api/profile/${encodeURIComponent(name)}`,
    `/api/profile/${encodeURIComponent(name)}/reputation`,
  ]);
  const state = new Map<string, string>();
  for (const path of [...(await samplePaths(stage)), ...userPaths]) state.set(path, (await stage.request(path)).text);
  return state;
}
