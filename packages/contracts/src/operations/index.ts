import { getGame, listGames, listTitles } from './games.ts';
import { getDailyStats, getMatches, getMatchHistory, getMatchStats } from './matches.ts';
import { getLatestActivity, getOnlineSummary, getOnlineUsers, getTitleOnlineHistory } from './online-users.ts';
import type { Operation } from './operation.ts';
import { getDailyRegistered, getLobbySeries, getOnlineSeries } from './site-series.ts';

/** Every operation of the system by its id: a route that isn't here doesn't exist. */
export const operations = {
  getDailyRegistered,
  getOnlineSeries,
  getLobbySeries,
  getOnlineUsers,
  getLatestActivity,
  getOnlineSummary,
  getTitleOnlineHistory,
  getGame,
  listGames,
  listTitles,
  getMatches,
  getMatchHistory,
  getMatchStats,
  getDailyStats,
} as const;

/** All of {@link operations}, for those who treat them alike. */
export const allOperations: readonly Operation[] = Object.values(operations);
