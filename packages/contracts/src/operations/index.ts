import { getApiIndex, getApiVersion } from './about.ts';
import { getAchievementLeaderboard, getUserAchievements, listAchievements, listRecentUnlocks } from './achievements.ts';
import { getChangesFeed, getTitleChangesFeed } from './change-feeds.ts';
import {
  addChannel,
  listChannels,
  listDeliveries,
  listFeedEvents,
  listFeedNotifications,
  removeChannel,
  testChannel,
} from './channels.ts';
import { listChangedGames, listChanges, listPlayerChanges, listTitleChanges } from './changes.ts';
import {
  getEvent,
  getEventCalendar,
  getEventsCalendar,
  getFollowedEventsCalendar,
  getPaidEventsSummary,
  getTitleEventsCalendar,
  listEvents,
  listPaidEvents,
} from './events.ts';
import { follow, listFollowing, listNotifications, setQuietHours, unfollow } from './following.ts';
import { compareGames, getActivity, getRanking } from './game-periods.ts';
import { getGame, listGames, listTitles } from './games.ts';
import { getIcon } from './icons.ts';
import { getLeaderboardRecords, listRecordHolders } from './leaderboard-records.ts';
import { getLeaderboard, getTitleStats, listLeaderboards } from './leaderboards.ts';
import { listLobbies } from './lobbies.ts';
import { getDailyStats, getMatches, getMatchHistory, getMatchStats } from './matches.ts';
import { getNow } from './now.ts';
import { getLatestActivity, getOnlineSummary, getOnlineUsers, getTitleOnlineHistory } from './online-users.ts';
import type { Operation } from './operation.ts';
import { eraseMe, exportMe, exportUser, getMe, getOwnPresence, getOwnProfile } from './own-account.ts';
import { getGamertagUser, getHost, getPlayer } from './players.ts';
import { updateProfile } from './profile-update.ts';
import {
  getGamesPlayed,
  getLeaderboardName,
  getLeaderboardScores,
  getPlayerStanding,
  getPlayTime,
  getProfile,
  getUserGames,
  getUserProfile,
  listPlayDays,
  listPlayerScores,
  listRivals,
} from './profiles.ts';
import { getRankHistory } from './rank-history.ts';
import {
  exportRatings,
  getReputation,
  listOwnRatings,
  rateProfile,
  removeRating,
  reportComment,
} from './reputation.ts';
import { searchByPlayers, searchByRanks, searchByTime, searchOnePlayer } from './search.ts';
import { getGameRecords, getNetworkRecords } from './records.ts';
import { getSeriesCoverage } from './series-coverage.ts';
import { getDailyOnline, getDailyRegistered, getLobbySeries, getOnlineSeries } from './site-series.ts';
import { getStatus } from './status.ts';
import { findNames, suggestNames } from './suggest.ts';
import { listUsersOnline } from './users-online.ts';

export const operations = {
  getApiIndex,
  getApiVersion,
  getStatus,
  getNow,
  getDailyRegistered,
  getDailyOnline,
  getNetworkRecords,
  getOnlineSeries,
  getLobbySeries,
  getSeriesCoverage,
  getOnlineUsers,
  listUsersOnline,
  getLatestActivity,
  getOnlineSummary,
  getTitleOnlineHistory,
  getGame,
  listGames,
  listTitles,
  getIcon,
  getRanking,
  compareGames,
  getActivity,
  getGameRecords,
  listLobbies,
  getMatches,
  getMatchHistory,
  getMatchStats,
  getDailyStats,
  getTitleStats,
  listLeaderboards,
  getLeaderboard,
  getLeaderboardRecords,
  listRecordHolders,
  listChanges,
  listTitleChanges,
  listPlayerChanges,
  getRankHistory,
  listChangedGames,
  getChangesFeed,
  getTitleChangesFeed,
  listEvents,
  getEventCalendar,
  getEventsCalendar,
  getTitleEventsCalendar,
  getFollowedEventsCalendar,
  getEvent,
  listPaidEvents,
  getPaidEventsSummary,
  searchByTime,
  searchByPlayers,
  searchByRanks,
  searchOnePlayer,
  suggestNames,
  findNames,
  getProfile,
  getPlayTime,
  getUserProfile,
  getUserAchievements,
  getGamesPlayed,
  getUserGames,
  getLeaderboardScores,
  getLeaderboardName,
  getPlayerStanding,
  listPlayDays,
  listPlayerScores,
  listRivals,
  getPlayer,
  getHost,
  getGamertagUser,
  updateProfile,
  getReputation,
  rateProfile,
  removeRating,
  getMe,
  getOwnPresence,
  getOwnProfile,
  listOwnRatings,
  reportComment,
  listFollowing,
  follow,
  setQuietHours,
  listNotifications,
  unfollow,
  listChannels,
  addChannel,
  testChannel,
  listDeliveries,
  listFeedNotifications,
  listFeedEvents,
  removeChannel,
  exportMe,
  exportUser,
  exportRatings,
  eraseMe,
  listAchievements,
  getAchievementLeaderboard,
  listRecentUnlocks,
} as const;

export const allOperations: readonly Operation[] = Object.values(operations);
