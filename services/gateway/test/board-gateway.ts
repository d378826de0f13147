import { formatRaceTime, operations, parseInstant, type Change, type OperationResponse } from '@lobbystats/contracts';
import { notFound, route, type Route } from '@lobbystats/service-kit';
import { BOARD } from './catalog-responses.ts';
import { catalogRoutes, HARBOR, network } from './network.ts';
import { runGateway, startStubUpstream, type RunningGateway } from './running-gateway.ts';

export type Board = OperationResponse<typeof operations.getLeaderboard>;
export type LeaderboardRecord = OperationResponse<typeof operations.getLeaderboardRecords>['records'][number];

/** Names that a page must show as they are. */
export const HOSTILE_NAMES = [
  '"><script>alert(1)</script>',
  '\u202Egnp.exe',
  'x'.repeat(100),
  '__proto__',
  'a/b%2F..%00',
  "'; DROP--",
];

/** Path of the page of the stub's leaderboard. */
export const BOARD_PAGE = `/game/${HARBOR.titleId}/leaderboard/${BOARD.id}`;

/** The entries of a time board, ranked by position, a tenth of a second apart. */
function entriesOf(names: readonly string[]): Board['entries'] {
  return names.map((name, index) => ({ rank: String(index + 1), name, ...timeOf(49_300 + 100 * index) }));
}

export function timeOf(timeMs: number) {
  const timeFormatted = formatRaceTime(timeMs);
  return { rating: `0${timeFormatted}`, timeMs, timeFormatted, isTime: true };
}

export function record(playerName: string, since: string, rest: Partial<LeaderboardRecord> = {}): LeaderboardRecord {
  return { playerName, ...timeOf(49_300), since, source: 'change', until: null, ...rest };
}

export interface BoardData {
  /** The board as it stands. */
  readonly names?: readonly string[];
  /** As it stood on days; a day that is not listed is not known. */
  readonly days?: Readonly<Record<string, readonly string[]>>;
  readonly records?: readonly LeaderboardRecord[];
  readonly changes?: readonly Change[];
  /** In place of those of the stub. */
  readonly routes?: Route[];
}

/** A gateway whose catalog has one leaderboard. */
export async function runBoardGateway(data: BoardData = {}): Promise<RunningGateway> {
  const known = network();
  const catalog = await startStubUpstream(catalogRoutes(known, [...(data.routes ?? []), ...boardRoutes(data)]));
  return runGateway({ network: known, env: { CATALOG_API_URL: catalog.url } });
}

function boardRoutes({ names = ['Ember Fox'], days = {}, records = [], changes = [] }: BoardData): Route[] {
  const head = { titleId: HARBOR.titleId, gameName: HARBOR.name, leaderboardId: String(BOARD.id), name: BOARD.name };
  return [
    route(operations.getLeaderboard, async ({ params, query: { at, around, offset = 0, limit } }) => {
      const all = entriesOf((at === undefined ? names : days[at]) ?? []);
      if (params.leaderboardId !== BOARD.id || all.length === 0) throw notFound('leaderboard');
      const position = all.findIndex(({ name }) => name === around);
      if (around !== undefined && position === -1) throw notFound('player');
      const from = around === undefined ? offset : Math.max(0, position - Math.floor(((limit ?? 25) - 1) / 2));
      const entries = all.slice(from, limit === undefined ? undefined : from + limit);
      const observed = at === undefined ? { observed_at: '2027-01-15 07:58:00' } : {};
      return { body: { ...head, entries, total: all.length, ...observed } };
    }),
    route(operations.getLeaderboardRecords, async ({ params }) => {
      if (params.leaderboardId !== BOARD.id) throw notFound('leaderboard');
      return { body: { ...head, total: records.length, records: [...records] } };
    }),
    route(operations.listRecords, async ({ query: { ids } }) => {
      const beaten = { playerName: 'Oak', rating: '00:49.356', timeMs: 49_356 };
      return { body: ids.map((id) => ({ id, beaten })) };
    }),
    route(operations.listChanges, async ({ query: { game, player, type, records, since = 0, limit, cursor } }) => {
      if (game !== undefined && game !== HARBOR.name) throw notFound('game');
      if (player === 'Nobody') throw notFound('player');
      const from = cursor === undefined ? 0 : Number(cursor);
      const all = changes.filter(
        (one) =>
          (type === undefined || one.type === type) &&
          (records === undefined || one.newRank === 1) &&
          parseInstant(one.changedAt) > since,
      );
      const page = all.slice(from, from + limit);
      const hasMore = from + limit < all.length;
      const nextCursor = hasMore ? String(from + limit) : null;
      return { body: { changes: page, total: all.length, limit, offset: 0, hasMore, nextCursor } };
    }),
  ];
}

export function change(id: number, rest: Partial<Change> = {}): Change {
  return {
    ...{ id, type: 'updated', titleId: HARBOR.titleId, gameName: HARBOR.name },
    ...{ leaderboardId: BOARD.id, leaderboardName: BOARD.name, playerName: 'Ember Fox', isTime: true },
    ...{ oldRank: 5, newRank: 3, oldRating: '00:50.100', newRating: '00:49.300', oldTimeMs: 50_100, newTimeMs: 49_300 },
    changedAt: '2027-01-15 07:58:00',
    ...rest,
  };
}
