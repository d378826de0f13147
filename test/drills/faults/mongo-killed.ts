import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { expectRatingsLikeTold, RatingStorm } from '../../../services/standalone/test/rating-storm.ts';
import type { StackDrill } from '../drill.ts';
import { freshSessions } from './fresh-sessions.ts';
import { killAndStart } from './broken-server.ts';
import { knownNames } from './known-names.ts';

const KILLS = 3;
const BETWEEN = 40;

export const mongoKilled: StackDrill = {
  number: 5,
  name: 'MongoDB is killed while people rate',
  on: 'stack',
  isFault: true,
  run: async (stage) => {
    const storm = new RatingStorm(await freshSessions(stage), await knownNames(stage, 12));
    storm.at(stage.url);
    const killedAt: number[] = [];
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const before = storm.acknowledged;
        await eventually(() => expect(storm.acknowledged).toBeGreaterThan(before + BETWEEN), { timeoutMs: 60_000 });
        killedAt.push(storm.acknowledged);
        await killAndStart(stage, 'mongodb');
      }
      const before = storm.acknowledged;
      await eventually(() => expect(storm.acknowledged).toBeGreaterThan(before + BETWEEN), { timeoutMs: 90_000 });
    } finally {
      await storm.stop();
    }
    await expectRatingsLikeTold(stage.url, storm.given.values());
    return [
      `${storm.acknowledged} ratings acknowledged, MongoDB killed after ${killedAt.join(', ')} of them: each is there, once, and every average fits`,
    ];
  },
};
