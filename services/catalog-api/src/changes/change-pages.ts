import { AppError } from '@lobbystats/contracts/errors';
import { compareCodePoints, nameKey, type OperationQuery, type operations, type Reply } from '@lobbystats/contracts';
import { boardId } from '../boards/board.ts';
import { type StoredChange, changeViews } from './stored-change.ts';
import { readConsistently, type CatalogReader } from '../boards/catalog-reader.ts';
import { readCursor, toCursor, unknownCursor } from '../paging/cursor.ts';
import type { TitleView } from '../titles/title-view.ts';
import type { ChangeQueries } from './changes.queries.ts';

/** A cursor into the log of changes, with its direction. */
interface ChangeCursor {
  /** `older`: lower ids, descending. `newer`: higher ids, ascending. */
  readonly direction: 'older' | 'newer';
  readonly id: number;
}

const CURSOR_PATTERN = /^changes (older|newer) (0|[1-9][0-9]{0,15})$/;

export function encodeCursor({ direction, id }: ChangeCursor): string {
  return toCursor(`changes ${direction} ${id}`);
}

/** @throws AppError `invalid` for any text that {@link encodeCursor} doesn't return */
export function decodeCursor(cursor: string): ChangeCursor {
  const [towards, digits] = readCursor(cursor, CURSOR_PATTERN);
  const id = Number(digits);
  if (!Number.isSafeInteger(id)) throw unknownCursor();
  return { direction: towards === 'newer' ? 'newer' : 'older', id };
}

type ChangeQuery = OperationQuery<typeof operations.listTitleChanges>;

/**
 * @throws AppError `invalid` for a cursor that no answer gave
 * @throws AppError `not-found` for an unknown title, or when `player` is on no leaderboard and has no change
 */
export async function listChanges(
  reader: CatalogReader<ChangeQueries>,
  { titleId, player, ...query }: OperationQuery<typeof operations.listChanges>,
) {
  const playerKey = player === undefined ? undefined : nameKey(player);
  if (playerKey !== undefined) await assertKnownPlayer(reader, playerKey);
  return changePage(reader, { ...query, playerKey }, (titles) =>
    titleId === undefined ? undefined : titles.header(titleId).head.titleId,
  );
}

/**
 * @throws AppError `invalid` for a cursor that no answer gave
 * @throws AppError `not-found` for an unknown title
 */
export async function listTitleChanges(
  reader: CatalogReader<ChangeQueries>,
  titleId: string,
  query: ChangeQuery,
): Promise<Reply<typeof operations.listTitleChanges>> {
  return changePage(reader, query, (titles) => titles.header(titleId).head.titleId);
}

async function assertKnownPlayer({ boards }: CatalogReader<ChangeQueries>, playerKey: string): Promise<void> {
  if ((await boards.ofPlayers({ keys: [playerKey], limit: 1 })).length > 0) return;
  if ((await boards.changes({ playerKey }, { offset: 0, limit: 1 })).length === 0) {
    throw new AppError('not-found', 'Unknown player');
  }
}

async function changePage(
  { boards, titles }: CatalogReader<ChangeQueries>,
  query: ChangeQuery & { playerKey?: string | undefined },
  titleOf: (titles: TitleView) => string | undefined,
) {
  const { limit, offset = 0, type, since, playerKey, records, leaderboardId } = query;
  const cursor = cursorOf(query);
  const view = await titles.view();
  const titleId = titleOf(view);
  const filter = {
    ...{ titleId, type, since, playerKey, first: records === 'only' ? ('records' as const) : undefined },
    leaderboardIds: leaderboardId === undefined ? undefined : [leaderboardId],
  };
  const upwards = cursor?.direction === 'newer';
  const position = cursor === undefined ? {} : upwards ? { after: cursor.id } : { before: cursor.id };

  const { found, total, names } = await readConsistently(boards, async () => {
    const page = await boards.changes(filter, { ...position, offset, limit: limit + 1 });
    const count = await boards.countChanges(filter, upwards ? cursor.id : undefined);
    return { found: page, total: count, names: await boardNames(boards, page) };
  });

  const pageChanges = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = pageChanges.at(-1);
  const nextCursor =
    hasMore && last !== undefined ? encodeCursor({ direction: upwards ? 'newer' : 'older', id: last.id }) : null;
  const newest = upwards ? last : pageChanges[0];
  return {
    body: { changes: changeViews(pageChanges, view, names), total, limit, offset, hasMore, nextCursor },
    lastModified: newest?.changedAt,
    // A cursor stays valid while changes arrive, and has no upper bound.
    next: nextCursor === null ? undefined : { cursor: nextCursor, offset: undefined, after: undefined },
  };
}

function cursorOf({ cursor, after }: ChangeQuery): ChangeCursor | undefined {
  if (after !== undefined) return { direction: 'newer', id: after };
  return cursor === undefined ? undefined : decodeCursor(cursor);
}

async function boardNames(
  boards: CatalogReader<ChangeQueries>['boards'],
  changes: readonly StoredChange[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map(changes.map((change) => [boardId(change), change]));
  const boardKeys = Array.from(keys.values(), ({ titleId, leaderboardId }) => ({ titleId, leaderboardId }));
  const states = boardKeys.length === 0 ? [] : await boards.states(boardKeys);
  return new Map(states.map((state) => [boardId(state), state.name]));
}

export async function listChangedGames({
  titles,
  boards,
}: CatalogReader<ChangeQueries>): Promise<Reply<typeof operations.listChangedGames>> {
  const view = await titles.view();
  const [titleIds, log] = await Promise.all([boards.changedTitles(), boards.changeLog()]);
  const names = titleIds.map((titleId) => view.get(titleId)?.title.name).filter((name) => name !== undefined);
  return {
    body: names.sort(compareCodePoints),
    lastModified: names.length > 0 ? log.lastChangedAt : undefined,
  };
}
