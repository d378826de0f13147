import { type OperationResponse, type operations, compareCodePoints, parseInstant } from '@lobbystats/contracts';
import { displayName, withUniqueNames, type FindTitle } from '../titles/game-names.ts';
import { jsonMember, jsonMembers, jsonObject } from '../upstreams/json-object.ts';

type UserProfile = OperationResponse<typeof operations.getUserProfile>;
type Standing = OperationResponse<typeof operations.getPlayerStanding>;

/**
 * user-api's profile with current game names and catalog-api's standings, as JSON text.
 *
 * @throws TypeError when a field is missing
 */
export function profileJson(user: UserProfile, standing: Standing, find: FindTitle): string {
  return jsonObject(profileMembers(user, standing, find));
}

type OwnProfile = OperationResponse<typeof operations.getOwnProfile>;

/** The same with the fields that others do not see. */
export function ownProfileJson(user: OwnProfile, standing: Standing, find: FindTitle): string {
  const { gamertag } = user;
  return jsonObject([...profileMembers(user, standing, find), ...jsonMembers({ gamertag })]);
}

function profileMembers(user: UserProfile, standing: Standing, find: FindTitle): (readonly [string, string])[] {
  const { username, profile, achievementScore, achievementCount, newUnlocks } = user;
  const { leaderboardPlayerName, usesExplicitConsoleLiveGamertag, playTime } = user;
  const { leaderboardsOn, top10Count } = standing;
  return [
    ...jsonMembers({ username, profile, achievementScore, achievementCount, newUnlocks }),
    ...jsonMembers({ leaderboardPlayerName, usesExplicitConsoleLiveGamertag }),
    ['playTime', playTimeJson(playTime, find)],
    ['leaderboardStats', jsonObject(jsonMembers({ leaderboardsOn, top10Count }))],
  ];
}

function playTimeJson(playTime: UserProfile['playTime'], find: FindTitle): string {
  const { lastPlayedTitleId, lastPlayedAt, lastOnlineAt } = playTime;
  return jsonObject([
    ...playTimeHead(playTime, find),
    ...jsonMembers({
      lastPlayedGame: lastPlayedTitleId === null ? null : gameName(playTime, lastPlayedTitleId, find),
      lastPlayedAt,
      lastPlayedTimestamp: epochSeconds(lastPlayedAt),
      lastOnlineAt,
      lastSeenAt: epochSeconds(lastOnlineAt),
    }),
  ]);
}

/** A user's play time alone, as JSON text. @throws TypeError when a field is missing */
export function ownPlayTimeJson({ playTime }: UserProfile, find: FindTitle): string {
  const playTimeRegistered = playTime.lastOnlineAt !== null;
  return jsonObject([...playTimeHead(playTime, find), ...jsonMembers({ playTimeRegistered })]);
}

function playTimeHead(playTime: UserProfile['playTime'], find: FindTitle): (readonly [string, string])[] {
  const { totalMinutes, lastState, current, byTitle } = playTime;
  const nameOf = (titleId: string) => gameName(playTime, titleId, find);
  const minutes = byTitle.map(({ titleId, minutes: value }) => ({ titleId, name: nameOf(titleId), value }));
  const byGame = withUniqueNames(minutes).map(([name, value]) => jsonMember(name, value));
  return [
    ...jsonMembers({ totalMinutes, lastState, currentGame: current === null ? null : nameOf(current.titleId) }),
    ['byGame', jsonObject(byGame)],
  ];
}

function gameName({ current }: UserProfile['playTime'], titleId: string, find: FindTitle): string {
  return displayName(find, titleId, current?.titleId === titleId ? current.game : undefined);
}

function epochSeconds(timestamp: string | null): number | null {
  return timestamp === null ? null : parseInstant(timestamp);
}

type GamesPlayed = OperationResponse<typeof operations.getGamesPlayed>;
type UserGames = OperationResponse<typeof operations.getUserGames>;

/**
 * user-api's games in its order, then games known only from leaderboards, by name. JSON text.
 *
 * @throws TypeError when a field is missing
 */
export function gamesPlayedJson(user: UserGames, standing: Standing, find: FindTitle): string {
  const played = user.games.map(({ titleId, totalMinutes, lastPlayedAt }) => ({
    ...gameOf(find, titleId),
    totalMinutes,
    lastPlayedAt,
    lastPlayedTimestamp: epochSeconds(lastPlayedAt),
  }));
  const known = new Set(played.map(({ titleId }) => titleId));
  const supplement = [...new Set(standing.titleIds)]
    .filter((titleId) => !known.has(titleId))
    .map((titleId) => ({ ...gameOf(find, titleId), totalMinutes: 0, lastPlayedAt: null, lastPlayedTimestamp: null }))
    .sort((a, b) => compareCodePoints(a.gameName, b.gameName) || compareCodePoints(a.titleId, b.titleId));
  const games: GamesPlayed['games'] = [...played, ...supplement];
  const { hasPlayTimeTracking } = user;
  const leaderboardSupplement = supplement.length > 0;
  return jsonObject(jsonMembers({ games, count: games.length, leaderboardSupplement, hasPlayTimeTracking }));
}

function gameOf(find: FindTitle, titleId: string) {
  return { titleId, gameName: displayName(find, titleId), imageUrl: find(titleId)?.image ?? '' };
}
