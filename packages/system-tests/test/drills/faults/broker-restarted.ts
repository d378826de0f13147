import { connect } from 'node:net';
import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { readStream } from '@lobbystats/test-kit/stream-reading';
import { expectAcknowledgedRatings, RatingLoad } from '../../standalone/rating-load.ts';
import { pathTo, type Reputation } from '../../standalone/sign-in.ts';
import { deadLetters } from '../dead-letters.ts';
import type { StackDrill } from '../drill.ts';
import type { StackStage } from '../stages/stack-stage.ts';
import { freshSessions } from './fresh-sessions.ts';
import { listUsernames } from './list-usernames.ts';

const RECONNECTED_WITHIN_MS = 10_000;
const RATINGS_BETWEEN = 40;

export const brokerRestarted: StackDrill = {
  number: 2,
  name: 'the broker restarts while services publish',
  on: 'stack',
  isFault: true,
  run: async (stage) => {
    const profiles = await listUsernames(stage, 12);
    const reading = await readStream(`${stage.url}/api/stream?topics=ratings`);
    const storm = new RatingLoad(await freshSessions(stage), profiles);
    storm.setUrl(stage.url);
    const reconnected: number[] = [];
    try {
      for (const restart of [
        ['restart', '-t', '30', 'rabbitmq'],
        ['kill', '-s', 'KILL', 'rabbitmq'],
      ]) {
        await storm.acknowledge(RATINGS_BETWEEN, { timeoutMs: 60_000 });
        await stage.compose(...restart);
        if (restart[0] === 'kill') await stage.compose('start', 'rabbitmq');
        reconnected.push(await measureReconnect(stage));
      }
      await storm.acknowledge(RATINGS_BETWEEN, { timeoutMs: 60_000 });
    } finally {
      await storm.stop();
    }
    await expectAcknowledgedRatings(stage.url, storm.ratings.values());
    const newest = await eventually(() => expectNewestPublished(stage, profiles, reading.events), {
      timeoutMs: 30_000,
      everyMs: 500,
    });
    reading.disconnect();
    expect(await deadLetters(stage)).toEqual([]);
    const measured = [
      `restarted, and killed, while ${storm.acknowledged} ratings were acknowledged: all services well ${reconnected.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(' and ')} after it listened`,
      `${reading.events.length} facts came to the stream, the newest of each of ${newest} profiles among them; no dead letter`,
    ];
    if (reconnected.some((ms) => ms > RECONNECTED_WITHIN_MS)) throw new Error(measured.join('\n'));
    return measured;
  },
};

/** Milliseconds from when the broker accepts connections until every service is healthy. */
async function measureReconnect(stage: StackStage): Promise<number> {
  await eventually(() => probeAmqp(Number(stage.settings['RABBITMQ_PORT'])), { timeoutMs: 120_000, everyMs: 100 });
  const began = performance.now();
  await eventually(async () => expect(await stage.unhealthy()).toEqual([]), { timeoutMs: 60_000, everyMs: 200 });
  return performance.now() - began;
}

function probeAmqp(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('AMQP\0\0\t\u0001', 'latin1'));
    socket.setTimeout(1000, () => socket.destroy(new Error('no answer')));
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('hung up')));
  });
}

/** Fails if the stream lacks the newest stored rating of a profile, as after the loss of a confirmed fact. */
async function expectNewestPublished(
  stage: StackStage,
  profiles: readonly string[],
  events: readonly { data: unknown }[],
): Promise<number> {
  const publishedByUser = new Map<string, unknown>();
  for (const { data } of events) {
    const { username, average, ratingCount } = data as { username: string; average: number; ratingCount: number };
    publishedByUser.set(username, [average, ratingCount]);
  }
  for (const username of profiles.filter((name) => publishedByUser.has(name))) {
    const { average, ratingCount } = (await stage.request(pathTo(operations.getReputation.path, username)))
      .body as Reputation;
    expect([username, publishedByUser.get(username)]).toEqual([username, [average, ratingCount]]);
  }
  expect(publishedByUser.size).toBeGreaterThan(profiles.length / 2);
  return publishedByUser.size;
}
