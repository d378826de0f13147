import { getApiIndex, getApiVersion } from './about.ts';
import { getAchievementLeaderboard, getUserAchievements, listAchievements, listRecentUnlocks } from './achievements.ts';
import { listChangedGames, listChanges, listTitleChanges } from './changes.ts';
import { getEvent, getEventsCalendar, getPaidEventsSummary, listEvents, listPaidEvents } from './events.ts';
import { getGame, listGames, listTitles } from './games.ts';
import { getLeaderboard, getTitleStats, listLeaderboards } from './leaderboards.ts';
import { getDailyStats, getMatches, getMatchHistory, getMatchStats } from './matches.ts';
import { getLatestActivity, getOnlineSummary, getOnlineUsers, getTitleOnlineHistory } from './online-users.ts';
import type { Operation } from './operation.ts';
import { getGamertagUser, getHost, getPlayer } from './players.ts';
import { updateProfile } from './profile-update.ts';
import {
  getGamesPlayed,
  getLeaderboardName,
  getLeaderboardScores,
  getPlayerStanding,
  getProfile,
  getUserGames,
  getUserProfile,
  listPlayerScores,
} from './profiles.ts';
import { getReputation, rateProfile } from './reputation.ts';
import { searchByPlayers, searchByRanks, searchByTime, searchOnePlayer } from './search.ts';
import { getDailyRegistered, getLobbySeries, getOnlineSeries } from './site-series.ts';

export const operations = {
  getApiIndex,
  getApiVersion,
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
  getTitleStats,
  listLeaderboards,
  getLeaderboard,
  listChanges,
  listTitleChanges,
  listChangedGames,
  listEvents,
  getEventsCalendar,
  getEvent,
  listPaidEvents,
  getPaidEventsSummary,
  searchByTime,
  searchByPlayers,
  searchByRanks,
  searchOnePlayer,
  getProfile,
  getUserProfile,
  getUserAchievements,
  getGamesPlayed,
  getUserGames,
  getLeaderboardScores,
  getLeaderboardName,
  getPlayerStanding,
  listPlayerScores,
  getPlayer,
  getHost,
  getGamertagUser,
  updateProfile,
  getReputation,
  rateProfile,
  listAchievements,
  getAchievementLeaderboard,
  listRecentUnlocks,
} as const;

export const allOperations: readonly Operation[] = Object.values(operations);
