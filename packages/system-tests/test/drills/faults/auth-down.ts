import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { pathTo } from '../../standalone/sign-in.ts';
import { millisecondsOf, quantile } from '../abuse/timing.ts';
import type { SharedDrill } from '../drill.ts';
import { networkFaults, whileFaulty } from '../inject.ts';
import { freshSessions } from './fresh-sessions.ts';

const FAULTS = [
  { path: '/api/auth', kind: 'status', status: 503 },
  { path: '/api/auth', kind: 'close' },
  { path: '/api/auth', kind: 'stall', ms: 60_000 },
] as const;
const READS = 100;

export const authDown: SharedDrill = {
  number: 11,
  name: 'the auth service is down',
  on: 'either',
  isShort: true,
  isFault: true,
  run: async (stage) => {
    const [, { username }] = stage.users;
    const sessions = (await freshSessions(stage))
      .filter((session) => session.username !== username)
      .slice(0, FAULTS.length);
    const reputation = pathTo(operations.getReputation.path, username);
    const before = (await stage.request(reputation)).text;
    const readTimes: number[] = [];
    let longestMs = 0;
    for (const [index, session] of sessions.entries()) {
      await whileFaulty(stage, networkFaults(FAULTS[index] ?? FAULTS[0]), async () => {
        for (const write of [() => session.rate(username, { stars: 1 }), () => session.update({ bio: 'unseen' })]) {
          longestMs = Math.max(longestMs, await millisecondsOf(async () => expect((await write()).status).toBe(503)));
        }
        const read = await session.getReputation(username);
        expect(read).toMatchObject({ status: 200, body: { viewer: null } });
        for (let attempt = 0; attempt < READS; attempt += 1) {
          readTimes.push(
            await millisecondsOf(async () => expect((await stage.request(operations.listGames.path)).status).toBe(200)),
          );
        }
        expect((await stage.request(reputation)).text).toBe(before);
      });
    }
    return [
      `it refuses, hangs up, and says nothing: each write 503, after ${(longestMs / 1000).toFixed(1)} s at most; nothing was taken`,
      `${readTimes.length} public reads meanwhile: 200, p99 ${quantile(readTimes, 0.99).toFixed(1)} ms; with a key: viewer null`,
    ];
  },
};
