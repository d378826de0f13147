import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import type { SharedDrill } from '../drill.ts';
import { readMetric } from '../stages/read-metric.ts';
import type { Stage } from '../stages/stage.ts';
import { postOptions } from './post-options.ts';

const MAX_DELAY_MS = 20;
/** Resolution of the event loop delay histogram. */
const RESOLUTION_MS = 10;
const ATTEMPTS = 5;
const LENGTH = 50_000;

export const longTexts: SharedDrill = {
  number: 20,
  name: 'texts of 50 KB in times, names, URLs',
  on: 'either',
  run: async (stage) => {
    const [{ sessionKey }] = stage.users;
    const { searchByTime, searchByPlayers, searchByRanks, updateProfile, getGame } = operations;
    const digits = '9'.repeat(LENGTH);
    const cases: [string, () => Promise<{ status: number }>][] = [
      ['a time', () => stage.request(`${searchByTime.path}?time=${digits}`)],
      ['names', () => stage.request(`${searchByPlayers.path}?names=${'a%CC%81'.repeat(LENGTH / 7)}`)],
      ['a game’s name', () => stage.request(String(getGame.gamePath).replace(':game', '%20'.repeat(LENGTH / 3)))],
      [
        'a player in a body',
        () =>
          stage.request(
            searchByRanks.path,
            postOptions({ players: [{ playerName: `a${' '.repeat(LENGTH)}b`, rank: 1 }] }),
          ),
      ],
      [
        'a picture’s URL',
        () =>
          stage.request(
            updateProfile.path,
            postOptions({ sessionKey, avatar_url: `https://${'a.'.repeat(LENGTH / 2)}` }),
          ),
      ],
      ['a bio', () => stage.request(updateProfile.path, postOptions({ sessionKey, bio: '́'.repeat(LENGTH / 2) }))],
      [
        'a link',
        () =>
          stage.request(
            updateProfile.path,
            postOptions({
              sessionKey,
              social_links: [{ platform: ' '.repeat(LENGTH), url: 'https://a', label: null }],
            }),
          ),
      ],
    ];
    const measured: string[] = [];
    for (const [what, send] of cases) {
      const delay = await minDelay(stage, async () => {
        const { status } = await send();
        expect([what, status >= 400 && status < 500]).toEqual([what, true]);
      });
      measured.push(`${what} ${delay.toFixed(0)} ms`);
      if (delay > MAX_DELAY_MS) throw new Error(`the event loop was held up: ${measured.join(', ')}`);
    }
    return [`refused each; longest delay of the gateway's event loop: ${measured.join(', ')}`];
  },
};

/** The smallest delay of several attempts, to exclude other load on the machine. */
async function minDelay(stage: Stage, work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least > MAX_DELAY_MS; attempt += 1) {
    await stage.metrics('gateway');
    await work();
    const seconds = readMetric(await stage.metrics('gateway'), 'nodejs_eventloop_lag_max_seconds');
    least = Math.min(least, Math.max(0, seconds * 1000 - RESOLUTION_MS));
  }
  return least;
}
