import { formatTimestamp, type Change } from '@lobbystats/contracts';
import { boardId } from '../leaderboards/board.ts';
import type { StoredChange } from '../leaderboards/board-store.ts';
import type { TitleView } from '../titles/title-view.ts';

/** `names`: of the leaderboards, by `boardId`. */
export function changeViews(
  changes: readonly StoredChange[],
  titles: TitleView,
  names: ReadonlyMap<string, string>,
): Change[] {
  return changes.map((stored) => ({
    id: stored.id,
    type: stored.type,
    titleId: stored.titleId,
    gameName: titles.get(stored.titleId)?.title.name ?? '',
    leaderboardId: stored.leaderboardId,
    leaderboardName: names.get(boardId(stored)) ?? '',
    playerName: stored.playerName,
    isTime: stored.isTime,
    oldRank: stored.oldRank,
    newRank: stored.newRank,
    oldRating: stored.oldRating,
    newRating: stored.newRating,
    oldTimeMs: stored.oldTimeMs,
    newTimeMs: stored.newTimeMs,
    changedAt: formatTimestamp(stored.changedAt),
  }));
}
