import {
  DAY_SECONDS,
  formatTimestamp,
  nameKey,
  type EpochSeconds,
  type OperationResponse,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { boardId, comparableValue, ratingView } from '../boards/board.ts';
import type { FoundEntry } from '../boards/entries.queries.ts';
import type { StoredChange } from '../changes/stored-change.ts';
import type { CatalogReader } from '../boards/catalog-reader.ts';
import type { ChangeQueries } from '../changes/changes.queries.ts';

type Rival = OperationResponse<typeof operations.listRivals>['rivals'][number];

const PERIOD_SECONDS = 7 * DAY_SECONDS;
/** Games whose changes are read: those of the best ranks. */
const TITLES_MAX = 20;
/** Changes that are read of the player's leaderboards of one game. */
const CHANGES_MAX = 500;

/** Entries of others that were behind those of a player, or not there, and are ahead since a change of the last week. */
export async function listRivals(
  { titles, boards }: CatalogReader<ChangeQueries>,
  player: string,
  limit: number,
  now: EpochSeconds,
): Promise<Reply<typeof operations.listRivals>> {
  const view = await titles.view();
  const key = nameKey(player);
  const entries = (await boards.ofPlayers({ keys: [key] })).toSorted((a, b) => a.rank - b.rank);
  const own = new Map(entries.toReversed().map((entry) => [boardId(entry), entry]));
  const boardsOf = Map.groupBy(entries, ({ titleId }) => titleId);
  const read = ([titleId, ofTitle]: [string, readonly FoundEntry[]]) => {
    const leaderboardIds = ofTitle.map(({ leaderboardId }) => leaderboardId);
    return boards.changes({ titleId, leaderboardIds, since: now - PERIOD_SECONDS }, { offset: 0, limit: CHANGES_MAX });
  };
  const changes = (await Promise.all([...boardsOf].slice(0, TITLES_MAX).map(read))).flat().sort((a, b) => b.id - a.id);
  const rivals = new Map<string, Rival>();
  for (const change of changes) {
    const entry = own.get(boardId(change));
    const id = `${boardId(change)} ${change.playerName}`;
    if (entry === undefined || rivals.has(id) || nameKey(change.playerName) === key || !hasPassed(change, entry))
      continue;
    rivals.set(id, rivalOf(change, entry, view.get(change.titleId)?.title.name ?? ''));
  }
  return { body: { rivals: [...rivals.values()].slice(0, limit) } };
}

function hasPassed({ isTime, oldRating, oldTimeMs, newRating, newTimeMs }: StoredChange, entry: FoundEntry): boolean {
  if (newRating === null || isTime !== entry.isTime) return false;
  const better = (rating: string, timeMs: number | null) =>
    isTime ? (timeMs ?? 0) < entry.timeMs : scoreOf(rating) > scoreOf(entry.rating);
  return better(newRating, newTimeMs) && (oldRating === null || !better(oldRating, oldTimeMs));
}

/** NaN is neither more nor less than another score. */
function scoreOf(rating: string): number {
  return Number(comparableValue({ rating, timeMs: 0 }, false));
}

function rivalOf(change: StoredChange, own: FoundEntry, gameName: string): Rival {
  const { titleId, leaderboardId, playerName, newRank, newRating, newTimeMs, changedAt, isTime } = change;
  return {
    ...{ titleId, gameName, leaderboardId, leaderboardName: own.leaderboardName, playerName, rank: newRank ?? 1 },
    ...ratingView({ rating: newRating ?? '', timeMs: newTimeMs ?? 0 }, isTime),
    passedAt: formatTimestamp(changedAt),
    ownRank: own.rank,
    ownRating: ratingView(own, isTime).timeFormatted || own.rating,
  };
}
