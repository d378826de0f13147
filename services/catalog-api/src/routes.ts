import { operations, READ_TIMEOUT_MS, type EpochSeconds } from '@lobbystats/contracts';
import { notFound, route, routeTimeout, type Route } from '@lobbystats/service-kit';
import { listChangedGames, listChanges, listTitleChanges } from './changes/change-pages.ts';
import { rankHistory } from './changes/rank-history.ts';
import type { EventCatalog } from './events/event-catalog.ts';
import { eventRoutes } from './events/event.routes.ts';
import { getTitleStats, listLeaderboards, listRecords } from './leaderboards/board-lists.ts';
import { leaderboardRecords } from './leaderboards/leaderboard-records.ts';
import { getLeaderboard } from './leaderboards/leaderboard.ts';
import { listRecordHolders } from './leaderboards/record-holders.ts';
import { findNames } from './names/find-names.ts';
import type { CatalogStore } from './open-store.ts';
import { playerScores, playerStanding } from './players/player-standing.ts';
import { listRivals } from './players/rivals.ts';
import { searchByPlayers } from './search/search-by-players.ts';
import { searchByRanks } from './search/search-by-ranks.ts';
import { searchByTime } from './search/search-by-time.ts';
import { searchOnePlayer } from './search/search-rows.ts';
import type { TitleCatalog } from './titles/title-catalog.ts';

interface CatalogRoutesOptions extends Pick<CatalogStore, 'boards' | 'icons'> {
  readonly titles: TitleCatalog;
  readonly events: EventCatalog;
  readonly now: () => EpochSeconds;
  readonly publicUrl: string;
}

export function catalogRoutes(options: CatalogRoutesOptions): Route[] {
  const all = [...gameRoutes(options), ...boardRoutes(options), ...eventRoutes(options), ...playerRoutes(options)];
  return all.map((one) => routeTimeout(one, READ_TIMEOUT_MS));
}

function gameRoutes({ titles, icons }: CatalogRoutesOptions): Route[] {
  return [
    route(operations.getGame, async ({ params }) => {
      const found = (await titles.view()).get(params.titleId);
      if (found === undefined) throw notFound('title');
      return { body: found.title, lastModified: found.changedAt };
    }),

    route(operations.listGames, async ({ query }) => {
      const { titles: found, total, hasMore, changedAt } = (await titles.view()).find(query);
      const { limit, offset } = query;
      return {
        body: { games: found, total, limit, offset, hasMore },
        lastModified: changedAt,
        next: hasMore ? { offset: offset + limit } : undefined,
      };
    }),

    route(operations.listTitles, async ({ query }) => {
      const view = await titles.view();
      const { titles: all, next, changedAt } = view.all(query.after);
      return {
        body: { revision: view.revision, titles: all, ...(next !== undefined && { next }) },
        lastModified: changedAt,
      };
    }),

    route(operations.getIcon, async ({ params }) => {
      const icon = await icons.read(params.titleId);
      if (icon === undefined) throw notFound('icon');
      return { body: { image: Buffer.from(icon.image).toString('base64') }, lastModified: icon.seenAt };
    }),
  ];
}

function boardRoutes({ now, ...reader }: CatalogRoutesOptions): Route[] {
  return [
    route(operations.getTitleStats, ({ params }) => getTitleStats(reader, params.titleId)),
    route(operations.listLeaderboards, ({ params }) => listLeaderboards(reader, params.titleId)),
    route(operations.getLeaderboard, ({ params, query }) => getLeaderboard(reader, params, query, now)),
    route(operations.getLeaderboardRecords, ({ params, query }) => leaderboardRecords(reader, params, query)),
    route(operations.listRecordHolders, ({ params }) => listRecordHolders(reader, params.titleId)),
    route(operations.listRecords, ({ query }) => listRecords(reader, query.ids)),

    route(operations.listChanges, ({ query }) => listChanges(reader, query)),
    route(operations.listTitleChanges, ({ params, query }) => listTitleChanges(reader, params.titleId, query)),
    route(operations.listChangedGames, () => listChangedGames(reader)),

    route(operations.searchByTime, ({ query }) => searchByTime(reader, query)),
    route(operations.searchByPlayers, ({ query }) => searchByPlayers(reader, query)),
    route(operations.searchByRanks, ({ body }) => searchByRanks(reader, body)),
    route(operations.findNames, ({ query }) => findNames(reader, query)),
  ];
}

function playerRoutes({ now, ...reader }: CatalogRoutesOptions): Route[] {
  return [
    route(operations.searchOnePlayer, ({ params }) => searchOnePlayer(reader, params.player)),
    route(operations.getPlayerStanding, ({ params }) => playerStanding(reader, params.player)),
    route(operations.listPlayerScores, ({ params, query }) => playerScores(reader, params.player, query.limit)),
    route(operations.listPlayerChanges, ({ params, query }) => listChanges(reader, { ...query, ...params })),
    route(operations.getRankHistory, ({ params, query }) => rankHistory(reader, params.player, query, now())),
    route(operations.listRivals, ({ params, query }) => listRivals(reader, params.player, query.limit, now())),
  ];
}
