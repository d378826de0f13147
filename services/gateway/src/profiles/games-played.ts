import { compareCodePoints, type OperationResponse, type operations } from '@lobbystats/contracts';
import { displayName, type FindTitle } from '../titles/game-names.ts';
import { jsonMembers, jsonObject } from '../upstreams/json-object.ts';

type GamesPlayed = OperationResponse<typeof operations.getGamesPlayed>;
type UserGames = OperationResponse<typeof operations.getUserGames>;
type Standing = OperationResponse<typeof operations.getPlayerStanding>;

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
  }));
  const known = new Set(played.map(({ titleId }) => titleId));
  const supplement = [...new Set(standing.titleIds)]
    .filter((titleId) => !known.has(titleId))
    .map((titleId) => ({ ...gameOf(find, titleId), totalMinutes: 0, lastPlayedAt: null }))
    .sort((a, b) => compareCodePoints(a.gameName, b.gameName) || compareCodePoints(a.titleId, b.titleId));
  const games: GamesPlayed['games'] = [...played, ...supplement];
  const { hasPlayTimeTracking } = user;
  const leaderboardSupplement = supplement.length > 0;
  return jsonObject(jsonMembers({ games, count: games.length, leaderboardSupplement, hasPlayTimeTracking }));
}

function gameOf(find: FindTitle, titleId: string) {
  return { titleId, gameName: displayName(find, titleId), imageUrl: find(titleId)?.image ?? '' };
}
