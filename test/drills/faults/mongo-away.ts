import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { pathTo } from '../../../services/standalone/test/site-sessions.ts';
import { millisecondsOf } from '../abuse/timing.ts';
import type { StackDrill } from '../drill.ts';
import type { Stage } from '../stages/stage.ts';
import { until, whilePaused } from './broken-server.ts';

const AWAY_MS = 20_000;
const WITHIN_MS = 1000;
/** Before a driver has noticed, requests wait for it. */
const NOTICED_MS = 5000;

async function cacheStatus(stage: Stage, path: string): Promise<unknown> {
  const { status, headers } = await stage.ask(path);
  expect(status).toBe(200);
  return headers['cache-status'];
}

export const mongoAway: StackDrill = {
  number: 4,
  name: 'MongoDB is unreachable',
  on: 'stack',
  isShort: true,
  isFault: true,
  run: async (stage) => {
    const [person, other] = stage.people;
    const { listGames, getProfile, listChanges, listAchievements, getLeaderboardScores } = operations;
    const kept = [listGames.path, listAchievements.path, `${listChanges.path}?limit=7`];
    // While facts come in an answer may be old before it is there: then it isn't kept.
    for (const path of kept) await eventually(async () => expect(await cacheStatus(stage, path)).toContain('; hit'));
    const counts: Record<string, number> = {};
    let longestMs = 0;
    await whilePaused(stage, 'mongodb', async () => {
      const began = Date.now();
      for (let turn = 0; Date.now() < began + AWAY_MS; turn += 1) {
        for (const path of kept) {
          const { status, headers } = await stage.ask(path);
          expect([path, status, typeof headers.age]).toEqual([path, 200, 'string']);
          counts['kept: 200'] = (counts['kept: 200'] ?? 0) + 1;
        }
        const others = [
          // Never the usual length: others may have asked for that, so that it is kept.
          () => stage.ask(`${pathTo(getLeaderboardScores.path, other.username)}?limit=${11 + (turn % 40)}`),
          () => stage.ask(pathTo(getProfile.path, `nobody ${turn}`)),
          () => person.rate(other.username, { stars: 1 }),
          () => person.update({ bio: 'unseen' }),
        ];
        for (const ask of others) {
          let status = 0;
          const took = await millisecondsOf(async () => ({ status } = await ask()));
          expect(status).toBe(503);
          counts['others: 503'] = (counts['others: 503'] ?? 0) + 1;
          if (Date.now() > began + NOTICED_MS) longestMs = Math.max(longestMs, took);
        }
        await until(Date.now() + 200);
      }
    });
    const measured = `${Object.entries(counts)
      .map(([what, count]) => `${what}, ${count} times`)
      .join('; ')}; the longest refusal took ${longestMs.toFixed(0)} ms`;
    if (longestMs > WITHIN_MS) throw new Error(measured);
    return [measured];
  },
};
