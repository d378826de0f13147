import { operations } from '@lobbystats/contracts';
import type { Stage } from '../stages/stage.ts';

/** Usernames known to the site, by achievement score. */
export async function listUsernames(stage: Stage, count: number): Promise<string[]> {
  const { body } = await stage.request(`${operations.getAchievementLeaderboard.path}?limit=100`);
  const names = (body as { leaderboard: { username: string }[] }).leaderboard.map(({ username }) => username);
  if (names.length < count) throw new Error(`only ${names.length} users are known yet`);
  return names.slice(0, count);
}
