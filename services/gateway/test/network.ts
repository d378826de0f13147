import {
  formatDate,
  formatTimestamp,
  nameKey,
  operations,
  type GameMetadata,
  type OperationResponse,
} from '@lobbystats/contracts';
import { notFound, route, type Route } from '@lobbystats/service-kit';
import { stubRoutes } from './captured-responses.ts';
import { catalogResponses } from './catalog-responses.ts';
import { testUser, type TestUser } from './user-responses.ts';
import type { WithUsersOnline } from './users-online-response.ts';

type LatestActivity = OperationResponse<typeof operations.getLatestActivity>;
type OpenLobbies = OperationResponse<typeof operations.listLobbies>['lobbies'];
type OnlineSeries = OperationResponse<typeof operations.getOnlineSeries>;
type LobbySeries = OperationResponse<typeof operations.getLobbySeries>;
type Registered = OperationResponse<typeof operations.getDailyRegistered>;
type Summary = Omit<OperationResponse<typeof operations.getOnlineSummary>, 'period'>;

/** The newest slot of the stub upstreams, in epoch seconds: 2027-01-15 08:00:00 UTC. */
export const NEWEST = 1_800_000_000;

/** Data of the stub upstreams; tests may change it while they run. */
export interface Network extends WithUsersOnline {
  titles: GameMetadata[];
  /** By title ID, in Base64. */
  icons: ReadonlyMap<string, string>;
  /** Revision of the titles. */
  revision: number;
  activity: LatestActivity;
  /** Default: those of the activity. */
  openLobbies?: OpenLobbies;
  online: OnlineSeries;
  lobbies: LobbySeries;
  registered: Registered;
  summary: Summary;
  user: TestUser;
  /** Titles of the boards with an entry of the user, by gamertag. */
  standings: ReadonlyMap<string, readonly string[]>;
  /** Epoch seconds. */
  newest: number;
}

export function title(titleId: string, name: string, rest: Partial<GameMetadata> = {}): GameMetadata {
  return {
    titleId,
    name,
    title: `${name}: the game`,
    image: '',
    publisher: '',
    releaseDate: '',
    productCode: '',
    ...rest,
  };
}

export const HARBOR = title('4d530064', 'Harbor Racing', { publisher: 'Northlight', releaseDate: '2001-11-15' });
export const RALLY = title('0000000a', 'Rally');

export function network(overrides: Partial<Network> = {}): Network {
  return {
    titles: [HARBOR, RALLY],
    icons: new Map(),
    revision: 0,
    activity: { slot: null, titles: [] },
    online: [{ recorded_at: formatTimestamp(NEWEST), online_count: 41 }],
    lobbies: [{ recorded_at: formatTimestamp(NEWEST), lobby_count: 2 }],
    registered: [{ date: formatDate(NEWEST), registered_count: 1002 }],
    summary: {
      peakOnline: 41,
      peakOnlineAt: formatTimestamp(NEWEST),
      peakLobbies: 2,
      peakLobbiesAt: formatTimestamp(NEWEST),
      mostPlayedGame: null,
      gamesWithActivityCount: 1,
      totalSnapshotCount: 288,
    },
    user: testUser(),
    standings: new Map(),
    newest: NEWEST,
    ...overrides,
  };
}

/** Each with 6 players since a while. */
function lobbiesOf({ titles, activity, newest }: Network): OpenLobbies {
  const counts = { currentPlayers: 6, maxPlayers: 8 };
  const times = { openedAt: formatTimestamp(newest - 1500), timestamp: formatTimestamp(newest) };
  return activity.titles.flatMap(({ titleId, lobbyHostNames }) => {
    const gameName = titles.find((one) => one.titleId === titleId)?.name ?? '';
    return lobbyHostNames.map((hostName) => ({
      id: `${titleId}-${hostName}`,
      titleId,
      gameName,
      hostName,
      ...counts,
      ...times,
    }));
  });
}

const HOSTS = ['Ember Fox', 'Host'];

/** The routes of series-api; `own` come first. */
export function seriesRoutes(known: Network, own: readonly Route[] = []): Route[] {
  return stubRoutes('series-api', [...own, ...seriesResponses(known)], known.newest);
}

function seriesResponses(known: Network): Route[] {
  const reply = <Body>(body: Body) => Promise.resolve({ body, lastModified: known.newest });
  const head = (titleId: string) => {
    const found = known.titles.find((one) => one.titleId === titleId);
    if (found === undefined) throw notFound('title');
    return { titleId, gameName: found.name };
  };
  const recorded_at = () => formatTimestamp(known.newest);
  return [
    route(operations.getNow, () =>
      reply({
        slot: known.online.length === 0 ? null : recorded_at(),
        online: known.online.at(-1)?.online_count ?? 0,
        lobbies: known.lobbies.at(-1)?.lobby_count ?? 0,
        registered: known.registered.at(-1)?.registered_count ?? null,
        gamesWithPlayers: known.activity.titles.filter(({ online }) => online > 0).length,
        busiestGames: [],
      }),
    ),
    route(operations.getDailyRegistered, () => reply(known.registered)),
    route(operations.getDailyOnline, () => reply([])),
    route(operations.getNetworkRecords, () => reply({ online: null, lobbies: null, matches: null })),
    route(operations.getOnlineSeries, () => reply(known.online)),
    route(operations.getLobbySeries, () => reply(known.lobbies)),
    route(operations.getLatestActivity, () => reply(known.activity)),
    route(operations.getOnlineSummary, ({ query: { period } }) => reply({ period, ...known.summary })),
    route(operations.getTitleOnlineHistory, async ({ params: { titleId }, query }) =>
      reply({
        ...head(titleId),
        hours: query.hours,
        resolution: query.resolution,
        history: [{ recorded_at: recorded_at(), online_count: 3 }],
      }),
    ),
    route(operations.getRanking, ({ query: { period, by } }) => {
      const values = { mean: 2.5, peak: 4, hours: 60, previous: null, change: null };
      const games = known.titles.map(({ titleId }) => ({ rank: 1, ...head(titleId), ...values }));
      return reply({ period, by, total: games.length, games });
    }),
    route(operations.compareGames, ({ query: { titleIds, days, resolution } }) => {
      const history = [{ recorded_at: recorded_at(), online_count: 3 }];
      return reply({ days, resolution, games: titleIds.map((titleId) => ({ ...head(titleId), history })) });
    }),
    route(operations.getActivity, async ({ params: { titleId } }) =>
      reply({
        ...head(titleId),
        days: 28 as const,
        hours: [{ weekday: 'monday' as const, hour: 20, average_online: 2.5, peak_online: 4 }],
      }),
    ),
    route(operations.getGameRecords, async ({ params: { titleId } }) =>
      reply({ ...head(titleId), online: null, lobbies: null }),
    ),
    route(operations.listLobbies, ({ query: { titleId, limit, offset } }) => {
      const found = (known.openLobbies ?? lobbiesOf(known)).filter(
        (lobby) => titleId === undefined || lobby.titleId === titleId,
      );
      const lobbies = found.slice(offset, offset + limit);
      return reply({ slot: recorded_at(), lobbies, ...pageOf(found.length, limit, offset) });
    }),
    route(operations.getMatches, async ({ params: { titleId } }) =>
      reply({
        ...head(titleId),
        matches: [{ id: '1', hostName: 'Ember Fox', currentPlayers: 6, maxPlayers: 8, timestamp: recorded_at() }],
      }),
    ),
    route(operations.getMatchHistory, async ({ params: { titleId }, query: { hours, limit, offset } }) => ({
      ...(await reply({ ...head(titleId), hours, total: 5000, matches: [] })),
      ...(limit !== undefined && { next: { offset: offset + limit } }),
    })),
    route(operations.getMatchStats, async ({ params: { titleId } }) =>
      reply({ ...head(titleId), hours: 24 as const, totalMatches: 1, peakPlayers: 6, uniqueHosts: 1 }),
    ),
    route(operations.getHost, ({ params: { player } }) => {
      const name = HOSTS.find((host) => nameKey(host) === nameKey(player));
      if (name === undefined) return reply({ name: null, matchesHosted: 0, firstSeenAt: null, lastSeenAt: null });
      const firstSeenAt = '2027-01-14 08:00:00';
      return reply({ name, matchesHosted: 3, firstSeenAt, lastSeenAt: recorded_at() });
    }),
    route(operations.getDailyStats, async ({ params: { titleId }, query: { days } }) =>
      reply({ ...head(titleId), days, stats: [] }),
    ),
  ];
}

function pageOf(total: number, limit: number, offset: number) {
  return { total, limit, offset, hasMore: offset + limit < total };
}

/** The routes of catalog-api; `own` come first. */
export function catalogRoutes(known: Network, own: readonly Route[] = []): Route[] {
  const routes = [
    ...own,
    route(operations.getGame, async ({ params: { titleId } }) => {
      const body = known.titles.find((one) => one.titleId === titleId);
      if (body === undefined) throw notFound('title');
      return { body };
    }),
    route(operations.listGames, async ({ query: { q, limit, offset } }) => {
      const found = known.titles.filter(({ name }) => q.split(' ').every((word) => name.includes(word)));
      return {
        body: { games: found.slice(offset, offset + limit), ...pageOf(found.length, limit, offset) },
        ...(offset + limit < found.length && { next: { offset: offset + limit } }),
      };
    }),
    route(operations.listTitles, async () => ({ body: { revision: known.revision, titles: known.titles } })),
    route(operations.getIcon, async ({ params: { titleId } }) => {
      const image = known.icons.get(titleId);
      if (image === undefined) throw notFound('icon');
      return { body: { image } };
    }),
    ...catalogResponses(known),
  ];
  return stubRoutes('catalog-api', routes, known.newest);
}
