// Made by `npm run docs:generate` from packages/contracts: change it there.
import { siteRoutes, type SiteOperations } from './site.ts';
import { onlineRoutes, type OnlineOperations } from './online.ts';
import { leaderboardsRoutes, type LeaderboardsOperations } from './leaderboards.ts';
import { matchesRoutes, type MatchesOperations } from './matches.ts';
import { searchRoutes, type SearchOperations } from './search.ts';
import { eventsRoutes, type EventsOperations } from './events.ts';
import { achievementsRoutes, type AchievementsOperations } from './achievements.ts';
import { peopleRoutes, type PeopleOperations } from './people.ts';
import { gamesRoutes, type GamesOperations } from './games.ts';

/** Of each operation what it takes and gives. */
export interface Operations
  extends
    SiteOperations,
    OnlineOperations,
    LeaderboardsOperations,
    MatchesOperations,
    SearchOperations,
    EventsOperations,
    AchievementsOperations,
    PeopleOperations,
    GamesOperations {}

/** Where each operation is. */
export const routes = {
  ...siteRoutes,
  ...onlineRoutes,
  ...leaderboardsRoutes,
  ...matchesRoutes,
  ...searchRoutes,
  ...eventsRoutes,
  ...achievementsRoutes,
  ...peopleRoutes,
  ...gamesRoutes,
} as const;
