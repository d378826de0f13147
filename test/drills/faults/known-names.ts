import { operations } from '@lobbystats/contracts';
import type { Stage } from '../stages/stage.ts';

/** Names of people whom the site knows, those first who have achieved most. */
export async function knownNames(stage: Stage, count: number): Promise<string[]> {
  const { body } = await stage.ask(`${operations.getAchievementLeaderboard.path}?limit=100`);
  const names = (body as { leaderboard: { username: string }[] }).leaderboard.map(({ username }) => username);
  if (names.length < count) throw new Error(`only ${names.length} people are known yet`);
  return names.slice(0, count);
}
