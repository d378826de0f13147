import { operations, RANKED_GAMES_MAX } from '@lobbystats/contracts';
import type { Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { gameCards, trendOf } from '../../parts/game-card.ts';
import { lastDays, lastDaysOperations } from '../../parts/last-day.ts';
import { UNAVAILABLE } from '../../parts/part.ts';

const { getOnlineUsers, getRanking } = operations;

/** Operations that {@link busiestGames} asks. */
export const busiestGamesOperations = [getOnlineUsers, getRanking, ...lastDaysOperations] as const;

/** Whole rows of cards, on desktops and on phones. */
const SHOWN = 8;

/** The games with the most players online now, each with its last 24 hours and the change to the week before. */
export async function busiestGames(data: PageData): Promise<Html> {
  const [activity, week] = await Promise.all([
    data.askPart(getOnlineUsers),
    data.askPart(getRanking, {}, { period: '7d', limit: RANKED_GAMES_MAX }),
  ]);
  if (activity === undefined) return UNAVAILABLE;
  const games = Object.values(activity)
    .filter(({ online, activeLobbies }) => online > 0 || activeLobbies > 0)
    .sort((a, b) => b.online - a.online || b.activeLobbies - a.activeLobbies)
    .slice(0, SHOWN);
  const histories = await lastDays(
    games.map(({ titleId }) => titleId),
    data,
  );
  const weekOf = new Map(week?.games.map((game) => [game.titleId, game]));
  return gameCards(
    games.map(({ titleId, name, online, activeLobbies }) => ({
      ...{ titleId, name, online, lobbies: activeLobbies },
      history: histories.get(titleId),
      trend: trendOf(weekOf.get(titleId)),
    })),
    'Nobody is in a game at the moment',
  );
}
