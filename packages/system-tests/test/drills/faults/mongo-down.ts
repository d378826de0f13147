import { operations } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import { pathTo } from '../../standalone/sign-in.ts';
import { millisecondsOf } from '../abuse/timing.ts';
import type { StackDrill } from '../drill.ts';
import type { Stage } from '../stages/stage.ts';
import { paused, whileFaulty } from '../inject.ts';
import { waitUntil } from '../wait.ts';

const OUTAGE_MS = 20_000;
const MAX_MS = 1000;
/** Requests wait until the driver detects the outage. */
const DETECTION_MS = 5000;

async function cacheStatus(stage: Stage, path: string): Promise<unknown> {
  const { status, headers } = await stage.request(path);
  expect(status).toBe(200);
  return headers['cache-status'];
}

export const mongoDown: StackDrill = {
  number: 4,
  name: 'MongoDB is unreachable',
  on: 'stack',
  isShort: true,
  isFault: true,
  run: async (stage) => {
    const [user, other] = stage.users;
    const { listGames, getProfile, listChanges, listAchievements, getLeaderboardScores } = operations;
    const cachedPaths = [listGames.path, listAchievements.path, `${listChanges.path}?limit=7`];
    // A response that is invalidated while it is fetched is not cached.
    for (const path of cachedPaths)
      await eventually(async () => expect(await cacheStatus(stage, path)).toContain('; hit'));
    const counts: Record<string, number> = {};
    let longestMs = 0;
    await whileFaulty(stage, paused('mongodb'), async () => {
      const began = Date.now();
      for (let index = 0; Date.now() < began + OUTAGE_MS; index += 1) {
        for (const path of cachedPaths) {
          const { status, headers } = await stage.request(path);
          expect([path, status, typeof headers.age]).toEqual([path, 200, 'string']);
          counts['kept: 200'] = (counts['kept: 200'] ?? 0) + 1;
        }
        const others = [
          // Never the default limit, which may be cached.
          () => stage.request(`${pathTo(getLeaderboardScores.path, other.username)}?limit=${11 + (index % 40)}`),
          () => stage.request(pathTo(getProfile.path, `nobody ${index}`)),
          () => user.rate(other.username, { stars: 1 }),
          () => user.update({ bio: 'unseen' }),
        ];
        for (const ask of others) {
          let status = 0;
          const took = await millisecondsOf(async () => ({ status } = await ask()));
          expect(status).toBe(503);
          counts['others: 503'] = (counts['others: 503'] ?? 0) + 1;
          if (Date.now() > began + DETECTION_MS) longestMs = Math.max(longestMs, took);
        }
        await waitUntil(Date.now() + 200);
      }
    });
    const measured = `${Object.entries(counts)
      .map(([what, count]) => `${what}, ${count} times`)
      .join('; ')}; the longest refusal took ${longestMs.toFixed(0)} ms`;
    if (longestMs > MAX_MS) throw new Error(measured);
    return [measured];
  },
};
