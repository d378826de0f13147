import {
  endOfDay,
  formatTimestamp,
  nameKey,
  type EpochSeconds,
  type OperationQuery,
  type OperationResponse,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { type BoardKey, type BoardState, type Entry, comparableValue, ratingView } from '../boards/board.ts';
import { type StoredChange, foundSince } from '../changes/stored-change.ts';
import { readConsistently, versionsWithin, type CatalogReader } from '../boards/catalog-reader.ts';
import type { ChangeQueries } from '../changes/changes.queries.ts';

type Records = OperationResponse<typeof operations.getLeaderboardRecords>['records'];

const FIRST_DAY = '0000-01-01';

/** The entries of rank 1 at the end of a day. */
interface LeaderDay {
  readonly at: EpochSeconds;
  readonly isTime: boolean;
  readonly leaders: readonly Entry[];
}

/** An entry that was rank 1 at the end of consecutive days. */
interface HeldRecord {
  readonly entry: Entry;
  readonly isTime: boolean;
  /** The day before it was first seen; undefined: the first known day has it. */
  readonly after: EpochSeconds | undefined;
  /** The first day that has it. */
  readonly at: EpochSeconds;
  /** The first later day that doesn't have it; undefined: the newest day has it. */
  readonly lostAt: EpochSeconds | undefined;
}

/** @throws AppError `not-found` for an unknown title or board */
export async function leaderboardRecords(
  { titles, boards }: CatalogReader<ChangeQueries>,
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
async function leaderDays(boards: CatalogReader<ChangeQueries>['boards'], state: BoardState): Promise<LeaderDay[]> {
  const days: LeaderDay[] = [];
  for await (const { day, content } of boards.versions(state, {
    since: FIRST_DAY,
    limit: versionsWithin(state.entryCount),
  })) {
    const at = Math.min(endOfDay(day), state.changedAt);
    const leaders = content?.entries.filter(({ rank }) => rank === 1) ?? [];
    days.push({ at, isTime: content?.isTime ?? false, leaders });
  }
  return days.reverse();
}

/** @param days ascending @returns records, the oldest first */
function heldRecords(days: readonly LeaderDay[]): HeldRecord[] {
  const ended: HeldRecord[] = [];
  let held = new Map<string, HeldRecord>();
  let after: EpochSeconds | undefined;
  for (const { at, isTime, leaders } of days) {
    const before = held;
    held = new Map(
      leaders.map((entry) => {
        const key = `${comparableValue(entry, isTime)} ${entry.name}`;
        return [key, before.get(key) ?? { entry, isTime, after, at, lostAt: undefined }] as const;
      }),
    );
    for (const [key, record] of before) if (!held.has(key)) ended.push({ ...record, lostAt: at });
    after = at;
  }
  return [...ended, ...held.values()].sort((a, b) => a.at - b.at);
}

/** Changes by which the holders took rank 1. */
async function recordChanges(
  boards: CatalogReader<ChangeQueries>['boards'],
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
  const own = foundSince(
    entry,
    isTime,
    changes.filter(({ changedAt }) => changedAt > after),
    at,
  );
  if (own !== undefined) return { since: own, source: 'change' };
  return { since: at, source: after === 0 ? 'first' : 'day' };
}
