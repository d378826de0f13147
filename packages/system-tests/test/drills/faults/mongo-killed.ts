import { expectAcknowledgedRatings, RatingLoad } from '../../standalone/rating-load.ts';
import type { StackDrill } from '../drill.ts';
import { freshSessions } from './fresh-sessions.ts';
import { killAndStart } from '../inject.ts';
import { listUsernames } from './list-usernames.ts';

const KILLS = 3;
const RATINGS_BETWEEN = 40;

export const mongoKilled: StackDrill = {
  number: 5,
  name: 'MongoDB is killed while users rate',
  on: 'stack',
  isFault: true,
  run: async (stage) => {
    const storm = new RatingLoad(await freshSessions(stage), await listUsernames(stage, 12));
    storm.setUrl(stage.url);
    const killedAt: number[] = [];
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await storm.acknowledge(RATINGS_BETWEEN, { timeoutMs: 60_000 });
        killedAt.push(storm.acknowledged);
        await killAndStart(stage, 'mongodb');
      }
      await storm.acknowledge(RATINGS_BETWEEN, { timeoutMs: 90_000 });
    } finally {
      await storm.stop();
    }
    await expectAcknowledgedRatings(stage.url, storm.ratings.values());
    return [
      `${storm.acknowledged} ratings acknowledged, MongoDB killed after ${killedAt.join(', ')} of them: each is there, once, and every average fits`,
    ];
  },
};
