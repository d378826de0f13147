import { nameKey, type EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey, Entry } from './board.ts';
import type { BoardStore, StoredChange } from './board-store.ts';
import { comparableValue } from './diff-board.ts';

/** More than a player has on one board. */
const CHANGES_MAX = 10_000;

/** Changes of players on a board, those of each newest first. */
export async function changesOfPlayers(
  boards: Pick<BoardStore, 'changes'>,
  { titleId, leaderboardId }: BoardKey,
  names: readonly string[],
): Promise<StoredChange[]> {
  const playerKeys = [...new Set(names.map(nameKey))];
  const found = await Promise.all(
    playerKeys.map((playerKey) =>
      boards.changes({ playerKey, titleId, leaderboardId }, { offset: 0, limit: CHANGES_MAX }),
    ),
  );
  return found.flat();
}

/** When an entry was first found with its rating; undefined: before the known changes. @param changes newest first */
export function foundSince(
  entry: Entry,
  isTime: boolean,
  changes: readonly StoredChange[],
  until: EpochSeconds = Infinity,
): EpochSeconds | undefined {
  const value = comparableValue(entry, isTime);
  return changes.find(
    ({ playerName, changedAt, newRating, newTimeMs }) =>
      playerName === entry.name &&
      changedAt <= until &&
      newRating !== null &&
      comparableValue({ rating: newRating, timeMs: newTimeMs ?? 0 }, isTime) === value,
  )?.changedAt;
}
