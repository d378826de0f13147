import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { Achievements } from './achievements.ts';
import { userAchievementsJson } from './user-achievements-json.ts';

export function achievementRoutes(achievements: Achievements): Route[] {
  const jsonOf = userAchievementsJson();
  return [
    route(operations.getUserAchievements, async ({ params }) => {
      const reply = await achievements.ofUser(params.username);
      return { ...reply, json: jsonOf(reply.body) };
    }),
    route(operations.listAchievements, () => achievements.catalog()),
    route(operations.getAchievementLeaderboard, ({ query }) => achievements.leaderboard(query.limit, query.around)),
    route(operations.listRecentUnlocks, ({ query }) => achievements.recent(query.limit)),
  ];
}
