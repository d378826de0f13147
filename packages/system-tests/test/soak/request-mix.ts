import { operations } from '@lobbystats/contracts';

/** Existing IDs and names for requests. */
export interface RequestTargets {
  readonly titleIds: readonly string[];
  readonly usernames: readonly string[];
}

/**
 * A typical mix of paths: of ten requests four are for the home page, three for a game, one is a search, one for a user,
 * one for a list of changes.
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
    if (kind < 0.4) return pathOf(site);
    if (kind < 0.7) return ofTitle(pathOf(title));
    if (kind < 0.8) {
      const [minutes, milliseconds] = [Math.floor(random() * 4), Math.floor(random() * 60_000)];
      const seconds = (milliseconds / 1000).toFixed(3).padStart(6, '0');
      return `${operations.searchByTime.path}?time=${minutes}:${seconds}&tolerance=200`;
    }
    return kind < 0.9 ? ofUser(pathOf(user)) : pathOf(news);
  };
}
