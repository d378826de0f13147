import { formatTimestamp, type Change } from '@lobbystats/contracts';
import type { StoredChange } from '../leaderboards/board-store.ts';

export interface ChangeNames {
  readonly gameName: string;
  readonly leaderboardName: string;
}

export function changeView(stored: StoredChange, { gameName, leaderboardName }: ChangeNames): Change {
  return {
    id: stored.id,
    type: stored.type,
    titleId: stored.titleId,
    gameName,
    leaderboardId: stored.leaderboardId,
    leaderboardName,
    playerName: stored.playerName,
    isTime: stored.isTime,
    oldRank: stored.oldRank,
    newRank: stored.newRank,
    oldRating: stored.oldRating,
    newRating: stored.newRating,
    oldTimeMs: stored.oldTimeMs,
    newTimeMs: stored.newTimeMs,
    changedAt: formatTimestamp(stored.changedAt),
  };
}
