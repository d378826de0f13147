import type { ChangeType, EpochSeconds, operations, Reply } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { boardId } from '../leaderboards/board.ts';
import type { ChangeFilter, StoredChange } from '../leaderboards/board-store.ts';
import { titleHeader, type CatalogReader } from '../leaderboards/catalog-reader.ts';
import { decodeCursor, encodeCursor, type ChangeCursor } from './change-cursor.ts';
import { changeView } from './change-view.ts';
import { readConsistently } from '../leaderboards/read-consistently.ts';
import type { TitleView } from '../titles/title-view.ts';

export interface ChangeQuery {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly type?: ChangeType | undefined;
  readonly since?: EpochSeconds | undefined;
  readonly cursor?: string | undefined;
  readonly after?: number | undefined;
}

/**
 * @throws AppError `invalid` for a cursor that no answer gave
 * @throws AppError `not-found` when `game` is neither a known name nor a title ID
 */
export async function listChanges(
  reader: CatalogReader,
  { game, ...query }: ChangeQuery & { readonly game?: string | undefined },
): Promise<Reply<typeof operations.listChanges>> {
  const cursor = cursorOf(query);
  const view = await reader.titles.view();
  const titleId = game === undefined ? undefined : view.titleIdOf(game);
  if (game !== undefined && titleId === undefined) throw new AppError('not-found', 'Unknown game');
  return changePage(reader, view, { query, place: cursor, titleId });
}

/**
 * @throws AppError `invalid` for a cursor that no answer gave
 * @throws AppError `not-found` for an unknown title
 */
export async function listTitleChanges(
  reader: CatalogReader,
  titleId: string,
  query: ChangeQuery,
): Promise<Reply<typeof operations.listTitleChanges>> {
  const cursor = cursorOf(query);
  const view = await reader.titles.view();
  titleHeader(view, titleId);
  return changePage(reader, view, { query, place: cursor, titleId });
}

interface PageRequest {
  readonly query: ChangeQuery;
  readonly place: ChangeCursor | undefined;
  readonly titleId: string | undefined;
}

async function changePage({ boards }: CatalogReader, view: TitleView, { query, place: cursor, titleId }: PageRequest) {
  const { limit, offset = 0, type, since } = query;
  const filter: ChangeFilter = {
    ...(titleId !== undefined && { titleId }),
    ...(type !== undefined && { type }),
    ...(since !== undefined && { since }),
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
  const changes = pageChanges.map((stored) =>
    changeView(stored, {
      gameName: view.get(stored.titleId)?.title.name ?? '',
      leaderboardName: names.get(boardId(stored)) ?? '',
    }),
  );
  const nextCursor =
    hasMore && last !== undefined ? encodeCursor({ direction: upwards ? 'newer' : 'older', id: last.id }) : null;
  const newest = upwards ? last : pageChanges[0];
  return {
    body: { changes, total, limit, offset, hasMore, nextCursor },
    ...(newest !== undefined && { lastModified: newest.changedAt }),
    // A cursor stays valid while changes arrive, and has no upper bound.
    ...(nextCursor !== null && { next: { cursor: nextCursor, offset: undefined, after: undefined } }),
  };
}

function cursorOf({ cursor, after }: ChangeQuery): ChangeCursor | undefined {
  if (after !== undefined) return { direction: 'newer', id: after };
  return cursor === undefined ? undefined : decodeCursor(cursor);
}

async function boardNames(
  boards: CatalogReader['boards'],
  changes: readonly StoredChange[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map(changes.map((change) => [boardId(change), change]));
  const boardKeys = Array.from(keys.values(), ({ titleId, leaderboardId }) => ({ titleId, leaderboardId }));
  const states = boardKeys.length === 0 ? [] : await boards.states(boardKeys);
  return new Map(states.map((state) => [boardId(state), state.name]));
}
