import {
  eventStored,
  formatTimestamp,
  nameKey,
  operations,
  type GameMetadata,
  type PublicEvent,
} from '@lobbystats/contracts';
import { notFound, route, type Route } from '@lobbystats/service-kit';

/** The example event of the contracts. */
export const EVENT = eventStored.example.events[0] as PublicEvent;
export const BOARD = { id: 17, name: 'Old Pier, best lap' };
export const CALENDAR = 'BEGIN:VCALENDAR\r\nSUMMARY:Grüße\r\nEND:VCALENDAR\r\n';

const RATING = { rating: '00:49.300', timeMs: 49_300, timeFormatted: '0:49.300', isTime: true };

/** Data of the responses. */
interface CatalogData {
  titles: GameMetadata[];
  standings: ReadonlyMap<string, readonly string[]>;
  /** Epoch seconds. */
  newest: number;
}

/** Minimal catalog-api routes: one board, event and player. */
export function catalogResponses(known: CatalogData): Route[] {
  const reply = <Body>(body: Body) => Promise.resolve({ body, lastModified: known.newest });
  const gameOf = (titleId: string) => {
    const found = known.titles.find((one) => one.titleId === titleId);
    if (found === undefined) throw notFound('title');
    return { titleId, gameName: found.name };
  };
  const standingOf = (player: string) =>
    [...known.standings].find(([name]) => nameKey(name) === nameKey(player)) ?? [player, []];
  const rowOf = (playerName: string) => ({
    ...gameOf(known.titles[0]?.titleId ?? ''),
    leaderboardId: BOARD.id,
    leaderboardName: BOARD.name,
    playerName,
    rank: 1,
    ...RATING,
  });
  const page = (limit: number) => ({ changes: [], total: 0, limit, offset: 0, hasMore: false, nextCursor: null });
  return [
    route(operations.getTitleStats, async ({ params: { titleId } }) =>
      reply({ ...gameOf(titleId), leaderboard_count: 1, total_entries: 1, time_entries: 1, score_entries: 0 }),
    ),
    route(operations.listLeaderboards, async ({ params: { titleId } }) => reply([{ ...BOARD, ...gameOf(titleId) }])),
    route(operations.getLeaderboard, async ({ params: { titleId, leaderboardId } }) => {
      if (leaderboardId !== BOARD.id) throw notFound('leaderboard');
      const entries = [{ rank: '1', name: 'Ember Fox', ...RATING }];
      return reply({ ...gameOf(titleId), leaderboardId: '17', name: BOARD.name, entries, total: 1 });
    }),
    route(operations.getLeaderboardRecords, async ({ params: { titleId, leaderboardId } }) => {
      if (leaderboardId !== BOARD.id) throw notFound('leaderboard');
      const since = formatTimestamp(known.newest);
      const records = [{ playerName: 'Ember Fox', ...RATING, since, source: 'change' as const, until: null }];
      return reply({ ...gameOf(titleId), leaderboardId: '17', name: BOARD.name, total: 1, records });
    }),
    route(operations.listRecordHolders, async ({ params: { titleId } }) => {
      const record = { playerName: 'Ember Fox', ...RATING, since: formatTimestamp(known.newest), isShared: false };
      gameOf(titleId);
      return reply([{ leaderboardId: BOARD.id, name: BOARD.name, entries: 1, record }]);
    }),
    route(operations.listChanges, ({ query: { limit } }) => reply(page(limit))),
    route(operations.listRecords, () => reply([])),
    route(operations.listPlayerChanges, ({ query: { limit } }) => reply(page(limit))),
    route(
      operations.getRankHistory,
      async ({ params: { player: playerName }, query: { titleId, leaderboardId, days } }) => {
        const about = { leaderboardId, leaderboardName: BOARD.name, isTime: true, days };
        const points = [
          { recorded_at: formatTimestamp(known.newest), rank: 1, rating: RATING.rating, timeMs: RATING.timeMs },
        ];
        return reply({ playerName, ...gameOf(titleId), ...about, points });
      },
    ),
    route(operations.listTitleChanges, ({ query: { limit } }) => reply(page(limit))),
    route(operations.listChangedGames, () => reply(known.titles.map(({ name }) => name))),
    route(operations.listEvents, () => reply([EVENT])),
    route(operations.getEvent, async ({ params: { eventId } }) => {
      if (eventId !== EVENT.id) throw notFound('event');
      return reply(EVENT);
    }),
    route(operations.listPaidEvents, () => reply([])),
    route(operations.getPaidEventsSummary, () =>
      reply({
        total: 0,
        upcoming: 0,
        active: 0,
        completed: 0,
        totalSignups: 0,
        totalEntryFeeSats: 0,
        totalRewardSats: 0,
        verifiedPotSats: 0,
        nextEvent: null,
      }),
    ),
    route(operations.getEventCalendar, () => reply(CALENDAR)),
    route(operations.getEventsCalendar, () => reply(CALENDAR)),
    route(operations.getTitleEventsCalendar, async ({ params: { titleId } }) => {
      gameOf(titleId);
      return reply(CALENDAR);
    }),
    route(operations.searchByTime, ({ query: { time, tolerance } }) =>
      reply({
        searchTime: formatTimestamp(known.newest),
        searchTimeMs: time,
        tolerance,
        results: [rowOf('Ember Fox')],
        count: 1,
        truncated: false,
      }),
    ),
    route(operations.searchByPlayers, ({ query: { names, tolerance = null, titleId = null } }) =>
      reply({ names, tolerance, titleId, results: names.map(rowOf), count: names.length, truncated: false }),
    ),
    route(operations.searchByRanks, ({ body: { players, titleId = null } }) => {
      if (titleId !== null) gameOf(titleId);
      return reply({ players, titleId, results: [], count: 0 });
    }),
    route(operations.findNames, () => reply({ suggestions: [], approximate: false })),
    route(operations.searchOnePlayer, () => reply({ results: [], count: 0 })),
    route(operations.getPlayerStanding, ({ params: { player } }) => {
      const titleIds = [...standingOf(player)[1]];
      return reply({ leaderboardsOn: titleIds.length, top10Count: 0, titleIds });
    }),
    route(operations.listRivals, () => reply({ rivals: [] })),
    route(operations.listPlayerScores, ({ params: { player }, query: { limit } }) => {
      const [name, titleIds] = standingOf(player);
      return reply({ scores: titleIds.slice(0, limit).map(() => rowOf(name)) });
    }),
  ];
}
