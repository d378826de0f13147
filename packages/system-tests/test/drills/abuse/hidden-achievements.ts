import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { pathTo } from '../../standalone/sign-in.ts';
import type { SharedDrill } from '../drill.ts';
import { samplePaths } from './sample-paths.ts';

const FILE = join(import.meta.dirname, '../../../../../infra/achievements.json');
const MAX_USERS = 100;

interface Definition {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isHidden?: boolean;
}

export const hiddenAchievements: SharedDrill = {
  number: 31,
  name: 'hidden achievements',
  on: 'either',
  run: async (stage) => {
    const { achievements } = JSON.parse(readFileSync(FILE, 'utf8')) as { achievements: Definition[] };
    const hidden = achievements.filter(({ isHidden }) => isHidden === true);
    expect(hidden.length).toBeGreaterThan(0);
    const tells = (text: string) =>
      hidden.filter(({ key, name, description }) =>
        [`"key":"${key}"`, `"name":"${name}"`, `,${key},`, description].some((secret) => text.includes(secret)),
      );
    const ofOne = operations.getUserAchievements.path;
    const paths = (await samplePaths(stage)).filter((path) => !path.startsWith(ofOne.split(':')[0] ?? ''));
    const lists = [
      `${operations.getAchievementLeaderboard.path}?limit=100`,
      `${operations.listRecentUnlocks.path}?limit=100`,
      `${operations.listRecentUnlocks.path}?limit=100&format=csv`,
    ];
    const telling: string[] = [];
    for (const path of [...paths, ...lists, '/api/openapi.json', '/']) {
      const { text } = await stage.request(path);
      if (tells(text).length > 0 || (text.includes('"revealed_') && !path.includes('openapi'))) telling.push(path);
    }
    telling.push(...tells(await backlogOf(stage.url)).map(({ key }) => `the stream: ${key}`));
    const { leaderboard } = (await stage.request(lists[0] ?? '')).body as { leaderboard: { username: string }[] };
    let revealed = 0;
    for (const { username } of leaderboard.slice(0, MAX_USERS)) {
      const { text, body } = await stage.request(pathTo(ofOne, username));
      const earned = (body as { achievements: { key: string; earned: boolean }[] }).achievements;
      const own = new Set(earned.filter((one) => one.earned).map(({ key }) => key));
      revealed += tells(text).filter(({ key }) => own.has(key)).length;
      telling.push(
        ...tells(text)
          .filter(({ key }) => !own.has(key))
          .map(({ key }) => `${username}: ${key}`),
      );
    }
    expect(telling).toEqual([]);
    return [
      `${hidden.length} hidden ones at ${paths.length + lists.length + 2} places and in the stream: told nowhere; of ${leaderboard.length} people's own pages ${revealed} tell of one that is theirs`,
    ];
  },
};

/** The unlock events in the stream backlog. */
async function backlogOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/stream?topics=unlocks&lastEventId=0`, { signal: AbortSignal.timeout(3000) });
  let text = '';
  try {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  } catch {
    // The stream does not end; the timeout aborts it.
  }
  return text;
}
