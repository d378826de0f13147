import { operations } from '@lobbystats/contracts';
import { route, type Route } from '@lobbystats/service-kit';
import type { Achievements } from '../domain/achievements.ts';

/** The routes of achievements. */
export function achievementRoutes(achievements: Achievements): Route[] {
  return [
    route(operations.getUserAchievements, ({ params }) => achievements.ofUser(params.username)),
    route(operations.listAchievements, () => achievements.catalog()),
    route(operations.getAchievementLeaderboard, ({ query }) => achievements.leaderboard(query.limit, query.around)),
    route(operations.listRecentUnlocks, ({ query }) => achievements.recent(query.limit)),
  ];
}
