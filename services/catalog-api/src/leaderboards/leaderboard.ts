import {
  AROUND_LIMIT,
  endOfDay,
  formatDate,
  formatTimestamp,
  nameKey,
  type EpochSeconds,
  type OperationQuery,
  type OperationResponse,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { ratingView, type BoardKey, type BoardState, type Entry } from '../boards/board.ts';
import { foundSince } from '../changes/stored-change.ts';
import { readConsistently, type CatalogReader } from '../boards/catalog-reader.ts';
import type { ChangeQueries } from '../changes/changes.queries.ts';

/** `around` and `offset` exclude each other. */
type LeaderboardQuery = OperationQuery<typeof operations.getLeaderboard>;

/**
 * @throws AppError `invalid` for a future day
 * @throws AppError `not-found` for an unknown title, a board absent now or on that day, or a player who isn't on it
 */
export async function getLeaderboard(
  { titles, boards }: CatalogReader<ChangeQueries>,
  key: BoardKey,
  query: LeaderboardQuery,
  now: () => EpochSeconds,
): Promise<Reply<typeof operations.getLeaderboard>> {
  const { limit, around, at } = query;
  const day = at === undefined ? undefined : pastDay(at, formatDate(now()));
  const { head, changedAt: titleChangedAt } = (await titles.view()).header(key.titleId);

  const read = async () => {
    const page = day === undefined ? await currentPage(boards, key, query) : await pastPage(boards, key, day, query);
    if (page === undefined) throw new AppError('not-found', 'Unknown leaderboard');
    if (query.dates === undefined) return { ...page, changes: undefined };
    const playerKeys = page.entries.map(({ name }) => nameKey(name));
    return { ...page, changes: await boards.changesOnBoard(key, playerKeys) };
  };
  const { board, total, offset, entries, changes } = await readConsistently(boards, read);

  const { name, isTime, changedAt, observedAt } = board;
  const until = day === undefined ? undefined : endOfDay(day);
  const body: OperationResponse<typeof operations.getLeaderboard> = {
    ...head,
    leaderboardId: String(key.leaderboardId),
    name,
    entries: entries.map((entry) => {
      if (changes === undefined) return entryView(entry, isTime);
      const since = foundSince(entry, isTime, changes, until);
      return { ...entryView(entry, isTime), since: since === undefined ? null : formatTimestamp(since) };
    }),
    total,
    ...(observedAt !== undefined && { observed_at: formatTimestamp(observedAt) }),
  };
  const next = offset + (limit ?? 0);
  return {
    body,
    lastModified: changedAt === undefined ? undefined : Math.max(changedAt, titleChangedAt),
    next: limit !== undefined && around === undefined && next < total ? { offset: next } : undefined,
  };
}

/** Returns undefined for today, whose board is the current one. */
function pastDay(day: string, today: string): string | undefined {
  if (day > today) throw new AppError('invalid', 'at must not be in the future');
  return day === today ? undefined : day;
}

interface BoardPage {
  readonly board: Pick<BoardState, 'name' | 'isTime'> & Partial<Pick<BoardState, 'changedAt' | 'observedAt'>>;
  /** Entries of the whole board. */
  readonly total: number;
  /** Position of the first entry. */
  readonly offset: number;
  readonly entries: readonly Entry[];
}

async function currentPage(
  boards: CatalogReader<ChangeQueries>['boards'],
  key: BoardKey,
  { limit, offset = 0, around }: LeaderboardQuery,
): Promise<BoardPage | undefined> {
  if (around === undefined) {
    const window = limit === undefined ? { offset } : { offset, limit };
    const [board, entries] = await Promise.all([boards.state(key), boards.entries(key, window)]);
    return board && { board, total: board.entryCount, offset, entries };
  }
  const [board, position] = await Promise.all([boards.state(key), boards.positionOf(key, nameKey(around))]);
  if (board === undefined) return undefined;
  const window = windowAround(position, { total: board.entryCount, limit });
  return { board, total: board.entryCount, offset: window.offset, entries: await boards.entries(key, window) };
}

async function pastPage(
  boards: CatalogReader<ChangeQueries>['boards'],
  key: BoardKey,
  day: string,
  { limit, offset = 0, around }: LeaderboardQuery,
): Promise<BoardPage | undefined> {
  const board = await boards.versionAt(key, day);
  if (board === undefined || board === 'gone') return undefined;
  const { entries } = board;
  const total = entries.length;
  const window =
    around === undefined
      ? { offset, limit: limit ?? total }
      : windowAround(positionIn(entries, nameKey(around)), { total, limit });
  return { board, total, offset: window.offset, entries: entries.slice(window.offset, window.offset + window.limit) };
}

function positionIn(entries: readonly Entry[], playerKey: string): number | undefined {
  const position = entries.findIndex(({ name }) => nameKey(name) === playerKey);
  return position === -1 ? undefined : position;
}

/**
 * Centres on a position (0-based, below `total`) and moves inwards at the ends. An even limit shows one more below.
 *
 * @throws AppError `not-found` without a position
 */
export function windowAround(
  position: number | undefined,
  { total, limit = AROUND_LIMIT }: { total: number; limit: number | undefined },
): { offset: number; limit: number } {
  if (position === undefined) throw new AppError('not-found', 'Unknown player');
  const centred = position - Math.floor((limit - 1) / 2);
  const last = Math.max(0, total - limit);
  return { offset: Math.min(Math.max(0, centred), last), limit };
}

function entryView(entry: Entry, isTime: boolean) {
  return { rank: String(entry.rank), name: entry.name, ...ratingView(entry, isTime) };
}
