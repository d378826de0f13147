import {
  formatTimestamp,
  nameKey,
  type EpochSeconds,
  type OperationQuery,
  type OperationResponse,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { BoardKey, BoardState } from './board.ts';
import { endOf, versionsWithin } from './board-days.ts';
import type { BoardStore, StoredChange } from './board-store.ts';
import { ratingView, readConsistently, type CatalogReader } from './catalog-reader.ts';
import { comparableValue } from './diff-board.ts';
import { heldRecords, type HeldRecord, type LeaderDay } from './held-records.ts';

type Records = OperationResponse<typeof operations.getLeaderboardRecords>['records'];

const FIRST_DAY = '0000-01-01';

/** @throws AppError `not-found` for an unknown title or board */
export async function leaderboardRecords(
  { titles, boards }: CatalogReader,
  key: BoardKey,
  { limit }: OperationQuery<typeof operations.getLeaderboardRecords>,
): Promise<Reply<typeof operations.getLeaderboardRecords>> {
  const { head, changedAt: titleChangedAt } = (await titles.view()).header(key.titleId);
  const read = async () => {
    const state = await boards.state(key);
    if (state === undefined) throw new AppError('not-found', 'Unknown leaderboard');
    const all = heldRecords(await leaderDays(boards, state));
    const newest = all.slice(-limit);
    return { state, total: all.length, newest, changes: await recordChanges(boards, key, newest) };
  };
  const { state, total, newest, changes } = await readConsistently(boards, read);
  return {
    body: {
      ...head,
      leaderboardId: String(key.leaderboardId),
      name: state.name,
      total,
      records: recordViews(newest, changes),
    },
    lastModified: Math.max(state.changedAt, titleChangedAt),
  };
}

/** Ascending. The newest version is the board as it stands. */
async function leaderDays(boards: BoardStore, state: BoardState): Promise<LeaderDay[]> {
  const days: LeaderDay[] = [];
  for await (const { day, content } of boards.versions(state, {
    since: FIRST_DAY,
    limit: versionsWithin(state.entryCount),
  })) {
    const leaders = content?.entries.filter(({ rank }) => rank === 1) ?? [];
    days.push({ at: Math.min(endOf(day), state.changedAt), isTime: content?.isTime ?? false, leaders });
  }
  return days.reverse();
}

/** Changes by which the holders took rank 1. */
async function recordChanges(
  boards: BoardStore,
  key: BoardKey,
  records: readonly HeldRecord[],
): Promise<StoredChange[]> {
  const playerKeys = records.map(({ entry }) => nameKey(entry.name));
  return (await boards.changesOnBoard(key, playerKeys)).filter(({ newRank }) => newRank === 1);
}

/** Newest first. */
function recordViews(records: readonly HeldRecord[], changes: readonly StoredChange[]): Records {
  const begun = records.map((record) => ({ ...record, ...beginningOf(record, changes) }));
  const untilOf = (lostAt: EpochSeconds) => Math.min(begun.find(({ at }) => at === lostAt)?.since ?? lostAt, lostAt);
  return begun
    .toSorted((a, b) => b.since - a.since)
    .map(({ entry, isTime, since, source, lostAt }) => ({
      playerName: entry.name,
      ...ratingView(entry, isTime),
      since: formatTimestamp(since),
      source,
      until: lostAt === undefined ? null : formatTimestamp(untilOf(lostAt)),
    }));
}

function beginningOf(
  { entry, isTime, after = 0, at }: HeldRecord,
  changes: readonly StoredChange[],
): { since: EpochSeconds; source: Records[number]['source'] } {
  const value = comparableValue(entry, isTime);
  const own = changes.find(
    ({ playerName, changedAt, newRating, newTimeMs }) =>
      playerName === entry.name &&
      changedAt > after &&
      changedAt <= at &&
      comparableValue({ rating: newRating ?? '', timeMs: newTimeMs ?? 0 }, isTime) === value,
  );
  if (own !== undefined) return { since: own.changedAt, source: 'change' };
  return { since: at, source: after === 0 ? 'first' : 'day' };
}
