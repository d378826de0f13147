import {
  allOperations,
  BOARD_PASS_SECONDS,
  DAY_SECONDS,
  operations,
  sampleRequest,
  type Operation,
  type OperationResponse,
} from '@lobbystats/contracts';
import type { Board, World } from '@lobbystats/simulator';
import { getJson } from '@lobbystats/test-kit';

/** A request to a public route. */
export interface PublicRequest {
  path: string;
  /** JSON body of a POST. */
  body?: string;
}

const TITLES = 3;

const { getLeaderboard, getLeaderboardRecords, getTitleStats, listLeaderboards } = operations;
const { listChanges, listChangedGames, listTitleChanges } = operations;
const { listPlayerChanges, getChangesFeed, getTitleChangesFeed } = operations;
const { searchByTime, searchByPlayers, searchByRanks, searchOnePlayer } = operations;

/** Responses of boards are compared by {@link boardRequests}, those of users by `user-paths.ts`. */
const isOfBoardsOrUsers = ({ tags }: Operation): boolean =>
  tags.some((tag) => /^(boards|changes|user|reputation|achievements)\b/.test(tag));

const EVENT_LISTS: ReadonlySet<string> = new Set([operations.listEvents.id, operations.listPaidEvents.id]);

/** Requests to every public route except boards, and except those that two systems answer differently. */
export async function requestsExceptBoards(url: string): Promise<PublicRequest[]> {
  const { games } = (
    await getJson<OperationResponse<typeof operations.listGames>>(`${url}${operations.listGames.path}?limit=500`)
  ).body;
  const titleIds = games.slice(0, TITLES).map(({ titleId }) => titleId);
  // Announced events may change until they begin.
  const begun = `?to=${new Date(Date.now() - DAY_SECONDS * 1000).toISOString().slice(0, 10)}`;
  const { body: events } = await getJson<{ id: number }[]>(url + operations.listEvents.path + begun);
  return publicOperations()
    .filter((operation) => operation.varies !== true && !isOfBoardsOrUsers(operation))
    .flatMap((operation) => {
      if (EVENT_LISTS.has(operation.id)) return [operation.path + begun];
      const targets = titleIds.map((titleId) => {
        const values = { titleId, otherTitleId: titleIds[0] ?? titleId, eventId: String(events[0]?.id) };
        return sampleRequest(operation, values).target;
      });
      return [...new Set(targets)];
    })
    .map((path) => ({ path }));
}

/**
 * Requests to every route of boards. In an hour that two systems have both begun in, their fills are the same, and what they
 * have read of the hour itself is not: the time of a live change is that of its reading. So these are about titles and players
 * whose boards don't change in the hour, and the games with changes are asked for only when the hour adds none to them.
 *
 * @param hour its first second
 * @param days of backfilled boards
 */
export function boardRequests(world: World, hour: number, days: number): PublicRequest[] {
  const changing = world.boardChanges(hour);
  const changingTitles = new Set(changing.map(({ titleId }) => titleId));
  const changingPlayers = new Set(
    changing
      .flatMap(({ titleId, id }) => [
        world.board(hour - BOARD_PASS_SECONDS, titleId, id),
        world.board(hour, titleId, id),
      ])
      .flatMap((board) => board?.entries.map(({ name }) => name) ?? []),
  );
  const boards = world
    .titlesAt(hour)
    .filter(({ titleId }) => !changingTitles.has(titleId))
    .flatMap(({ titleId }) => timeBoardOf(world, hour, titleId) ?? [])
    .slice(0, TITLES);
  const requests = boards.flatMap((board) => {
    const { titleId, entries } = board;
    const names = entries.slice(0, 3).map(({ name }) => name.replaceAll(',', ''));
    const loner = entries.find(({ name }) => !changingPlayers.has(name) && /^\w+$/.test(name));
    const players = entries.slice(0, 3).map(({ name: playerName, rank }) => ({ playerName, rank }));
    const yesterday = new Date((hour - DAY_SECONDS) * 1000).toISOString().slice(0, 10);
    const ofTitle = (path: string) => path.replace(':titleId', titleId);
    const ofBoard = ofTitle(getLeaderboard.path).replace(':leaderboardId', String(board.id));
    return [
      { path: ofTitle(getTitleStats.path) },
      { path: ofTitle(listLeaderboards.path) },
      { path: ofBoard },
      { path: `${ofBoard}?at=${yesterday}` },
      { path: ofTitle(getLeaderboardRecords.path).replace(':leaderboardId', String(board.id)) },
      { path: `${ofBoard}?around=${encodeURIComponent(entries[0]?.name ?? '')}` },
      { path: ofTitle(listTitleChanges.path) },
      { path: ofTitle(getTitleChangesFeed.path) },
      { path: `${getChangesFeed.path}?game=${titleId}&limit=500` },
      { path: `${listChanges.path}?game=${titleId}&limit=500` },
      { path: `${searchByTime.path}?time=1:00&tolerance=30000&titleId=${titleId}` },
      { path: `${searchByTime.path}?time=1:00&tolerance=30000&titleId=${titleId}&cursor=start&limit=5` },
      { path: `${searchByPlayers.path}?names=${names.map(encodeURIComponent).join(',')}&titleId=${titleId}` },
      { path: searchByRanks.path, body: JSON.stringify({ players, titleId }) },
      ...(loner === undefined
        ? []
        : [searchOnePlayer, listPlayerChanges].map(({ path }) => ({ path: path.replace(':player', loner.name) }))),
    ];
  });
  const changedBefore = new Set<string>();
  for (let pass = hour - days * DAY_SECONDS + BOARD_PASS_SECONDS; pass < hour; pass += BOARD_PASS_SECONDS) {
    for (const { titleId } of world.boardChanges(pass)) changedBefore.add(titleId);
  }
  const isSettled = [...changingTitles].every((titleId) => changedBefore.has(titleId));
  return isSettled ? [...requests, { path: listChangedGames.path }] : requests;
}

/** Public operations that none of these requests is for, although two systems answer them equally in every hour. */
export function uncomparedOperations(paths: readonly string[]): string[] {
  const asked = paths.map((path) => new URL(path, 'http://gateway').pathname);
  return publicOperations()
    .filter(({ id, varies }) => varies !== true && id !== listChangedGames.id)
    .filter(({ path }) => !asked.some((one) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(one)))
    .map(({ id }) => id);
}

/** Without those that need a session: their responses are a user's own. */
function publicOperations(): Operation[] {
  return allOperations.filter(({ audience, session }) => audience === 'public' && session !== 'required');
}

function timeBoardOf(world: World, hour: number, titleId: string): Board | undefined {
  return world
    .boardsAt(hour, titleId)
    .map(({ id }) => world.board(hour, titleId, id))
    .find((board) => board?.isTime);
}
