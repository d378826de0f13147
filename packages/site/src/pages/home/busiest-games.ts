import {
  COMPARED_GAMES_MAX,
  HOUR_SECONDS,
  operations,
  type OperationResponse,
  RANKED_GAMES_MAX,
} from '@lobbystats/contracts';
import type { PlotData } from '../../plots/plot-data.ts';
import type { Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { UNAVAILABLE } from '../../parts/part.ts';
import { snapshotPeriod } from '../../parts/ranges.ts';
import { timePlot } from '../../plots/time-cells.ts';
import { sparkline } from '../../parts/sparkline.ts';
import { table } from '../../parts/table.ts';
import { change, formatCount, formatMean, gameLink } from '../../parts/text.ts';

const { getOnlineUsers, getRanking, compareGames } = operations;

/** Operations that {@link busiestGames} asks. */
export const busiestGamesOperations = [getOnlineUsers, getRanking, compareGames] as const;

type Activity = OperationResponse<typeof getOnlineUsers>[string];

const SHOWN = 12;
/** The games with the most users online now: with their last 24 hours, and the change to the week before. */
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
  const histories = await historiesOf(games, data);
  const weekOf = new Map(week?.games.map((game) => [game.titleId, game]));
  return table<Activity>({
    ...{ id: 'game', rows: games, key: ({ titleId }) => titleId },
    caption: 'Busiest games',
    empty: 'Nobody is in a game at the moment',
    columns: [
      { heading: 'Game', isHead: true, cell: ({ titleId, name }) => gameLink(data.titles, titleId, name) },
      { heading: 'Online', isNumber: true, cell: ({ online }) => formatCount(online) },
      { heading: 'Lobbies', isNumber: true, isMinor: true, cell: ({ activeLobbies }) => formatCount(activeLobbies) },
      {
        heading: 'Last 24 hours',
        isMinor: true,
        cell: ({ titleId }) => sparkline(histories.get(titleId)),
      },
      {
        heading: 'Average of 7 days',
        isNumber: true,
        isMinor: true,
        cell: ({ titleId }) => formatMean(weekOf.get(titleId)?.mean ?? null),
      },
      {
        heading: 'Change to the week before',
        isNumber: true,
        cell: ({ titleId }) => change(weekOf.get(titleId)?.change ?? null),
      },
    ],
  });
}

/** The last 24 hours of each game, in hours. */
async function historiesOf(games: readonly Activity[], data: PageData): Promise<ReadonlyMap<string, PlotData>> {
  const period = { ...snapshotPeriod('24h', data.now), step: HOUR_SECONDS };
  const groups = [games.slice(0, COMPARED_GAMES_MAX), games.slice(COMPARED_GAMES_MAX)].filter(
    (group) => group.length > 0,
  );
  const compared = await Promise.all(
    groups.map((group) =>
      data.find(compareGames, {}, { titleIds: group.map(({ titleId }) => titleId).join(','), resolution: '60' }),
    ),
  );
  return new Map(
    compared
      .flatMap((response) => response?.games ?? [])
      .map(({ titleId, history }) => [
        titleId,
        timePlot(
          [{ label: '', rows: history, at: (row) => row.recorded_at, value: (row) => row.online_count }],
          period,
        ),
      ]),
  );
}
