import {
  AROUND_LIMIT,
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
import type { BoardKey, Entry } from './board.ts';
import type { BoardStore } from './board-store.ts';
import { endOf } from './board-days.ts';
import { foundSince } from './entry-dates.ts';
import { titleHeader, entryView, readConsistently, type CatalogReader } from './catalog-reader.ts';

/** `around` and `offset` exclude each other. */
type LeaderboardQuery = OperationQuery<typeof operations.getLeaderboard>;

/**
 * @throws AppError `invalid` for a future day
 * @throws AppError `not-found` for an unknown title, a board absent now or on that day, or a player who isn't on it
 */
export async function getLeaderboard(
  { titles, boards }: CatalogReader,
  key: BoardKey,
  query: LeaderboardQuery,
  now: () => EpochSeconds,
): Promise<Reply<typeof operations.getLeaderboard>> {
  const { limit, around, at } = query;
  const day = at === undefined ? undefined : pastDay(at, formatDate(now()));
  const { head, changedAt: titleChangedAt } = titleHeader(await titles.view(), key.titleId);

  const read = async () => {
    const board = day === undefined ? await currentBoard(boards, key) : await pastBoard(boards, key, day);
    if (board === undefined) throw new AppError('not-found', 'Unknown leaderboard');
    const window = await windowOf(board, query);
    const entries = await board.entries(window);
    if (query.dates === undefined) return { board, window, entries, changes: undefined };
    const playerKeys = entries.map(({ name }) => nameKey(name));
    return { board, window, entries, changes: await boards.changesOnBoard(key, playerKeys) };
  };
  const { board, window, entries, changes } = await readConsistently(boards, read);

  const { name, isTime, total, changedAt, observedAt } = board;
  const until = day === undefined ? undefined : endOf(day);
  const body: OperationResponse<typeof operations.getLeaderboard> = {
    ...head,
    leaderboardId: String(key.leaderboardId),
    name,
    entries: entries.map((entry) => ({
      ...entryView(entry, isTime),
      ...(changes !== undefined && { since: sinceOf(foundSince(entry, isTime, changes, until)) }),
    })),
    total,
    ...(observedAt !== undefined && { observed_at: formatTimestamp(observedAt) }),
  };
  const next = window.offset + (limit ?? 0);
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

function sinceOf(found: EpochSeconds | undefined): string | null {
  return found === undefined ? null : formatTimestamp(found);
}

interface ReadableBoard {
  readonly name: string;
  readonly isTime: boolean;
  readonly total: number;
  readonly changedAt?: EpochSeconds;
  readonly observedAt?: EpochSeconds;
  positionOf: (playerKey: string) => Promise<number | undefined>;
  entries: (window: BoardWindow) => Promise<readonly Entry[]>;
}

async function currentBoard(boards: BoardStore, key: BoardKey): Promise<ReadableBoard | undefined> {
  const state = await boards.state(key);
  return (
    state && {
      ...state,
      total: state.entryCount,
      positionOf: (playerKey) => boards.positionOf(key, playerKey),
      entries: (window) => boards.entries(key, window),
    }
  );
}

async function pastBoard(boards: BoardStore, key: BoardKey, day: string): Promise<ReadableBoard | undefined> {
  const version = await boards.versionAt(key, day);
  if (version === undefined || version === 'gone') return undefined;
  const { name, isTime, entries } = version;
  return {
    name,
    isTime,
    total: entries.length,
    positionOf: async (playerKey) => {
      const position = entries.findIndex((entry) => nameKey(entry.name) === playerKey);
      return position === -1 ? undefined : position;
    },
    entries: async ({ offset, limit = entries.length }) => entries.slice(offset, offset + limit),
  };
}

async function windowOf(board: ReadableBoard, { limit, offset = 0, around }: LeaderboardQuery): Promise<BoardWindow> {
  if (around === undefined) return limit === undefined ? { offset } : { offset, limit };
  const position = await board.positionOf(nameKey(around));
  if (position === undefined) throw new AppError('not-found', 'Unknown player');
  return windowAround(position, { total: board.total, limit: limit ?? AROUND_LIMIT });
}

interface BoardWindow {
  readonly offset: number;
  readonly limit?: number;
}

/** Centres on `place` (0-based, below `total`) and moves inwards at the ends. An even limit shows one more below. */
export function windowAround(
  position: number,
  { total, limit }: { total: number; limit: number },
): Required<BoardWindow> {
  const centred = position - Math.floor((limit - 1) / 2);
  const last = Math.max(0, total - limit);
  return { offset: Math.min(Math.max(0, centred), last), limit };
}
