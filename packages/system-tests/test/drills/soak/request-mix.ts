import { operations } from '@lobbystats/contracts';

/** Existing IDs and names for requests. */
export interface RequestTargets {
  readonly titleIds: readonly string[];
  readonly usernames: readonly string[];
}

/**
 * A typical mix of paths: of a hundred requests 45 are for the home page, 40 for a game, 10 for a list of changes, 3 for a
 * user, and 2 are searches. The last five miss the cache, as in `npm run bench -- endpoint`.
 */
export function requestMix({ titleIds, usernames }: RequestTargets, random: () => number): () => string {
  const oneOf = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? '';
  const ofTitle = (path: string): string => path.replace(':titleId', oneOf(titleIds));
  const ofUser = (path: string): string => path.replace(':username', encodeURIComponent(oneOf(usernames)));
  const site = [
    operations.getOnlineUsers,
    operations.getOnlineSummary,
    operations.getOnlineSeries,
    operations.listGames,
  ];
  const title = [
    operations.getGame,
    operations.getTitleOnlineHistory,
    operations.getMatches,
    operations.getDailyStats,
    operations.listLeaderboards,
  ];
  const user = [operations.getProfile, operations.getReputation, operations.getUserAchievements];
  const news = [
    operations.listChanges,
    operations.listEvents,
    operations.listRecentUnlocks,
    operations.getAchievementLeaderboard,
  ];
  const pathOf = (all: readonly { path: string }[]): string => oneOf(all.map(({ path }) => path));
  return () => {
    const kind = random();
    if (kind < 0.45) return pathOf(site);
    if (kind < 0.85) return ofTitle(pathOf(title));
    if (kind < 0.95) return pathOf(news);
    if (kind < 0.97) {
      const [minutes, milliseconds] = [Math.floor(random() * 4), Math.floor(random() * 60_000)];
      const seconds = (milliseconds / 1000).toFixed(3).padStart(6, '0');
      return `${operations.searchByTime.path}?time=${minutes}:${seconds}&tolerance=200`;
    }
    return ofUser(pathOf(user));
  };
}
