import { nameKey } from '@lobbystats/contracts';
import { boardId } from './board.ts';
import type { FoundEntry } from './board-store.ts';

/**
 * The entries with an entry of another player on the same board within `tolerance` ms, in the order given. A player who
 * stands on a board twice is no company to themselves.
 */
export function nearAnotherPlayer(found: readonly FoundEntry[], tolerance: number): FoundEntry[] {
  const kept = new Set<FoundEntry>();
  const boards = Map.groupBy(found, boardId);
  for (const ofBoard of boards.values()) {
    const slowest = ofBoard
      .map((entry) => ({ entry, timeMs: entry.timeMs, playerKey: nameKey(entry.playerName) }))
      .sort((a, b) => a.timeMs - b.timeMs);
    keepNearPrevious(slowest, tolerance, kept);
    keepNearPrevious(slowest.reverse(), tolerance, kept);
  }
  return found.filter((entry) => kept.has(entry));
}

interface Standing {
  readonly entry: FoundEntry;
  readonly timeMs: number;
  readonly playerKey: string;
}

/** Keeps those whose nearest one of another player, of those before them by time, is within the tolerance. */
function keepNearPrevious(byTime: readonly Standing[], tolerance: number, kept: Set<FoundEntry>): void {
  let previous: Standing | undefined;
  let previousOther: Standing | undefined;
  for (const standing of byTime) {
    if (previous !== undefined && previous.playerKey !== standing.playerKey) previousOther = previous;
    previous = standing;
    if (previousOther !== undefined && Math.abs(standing.timeMs - previousOther.timeMs) <= tolerance) {
      kept.add(standing.entry);
    }
  }
}
