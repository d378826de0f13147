import { nameKey } from '@lobbystats/contracts';
import { boardId } from '../leaderboards/board.ts';
import type { FoundEntry } from '../leaderboards/board-store.ts';

/** Entries within `tolerance` ms of another player's entry on the same board. */
export function nearAnotherPlayer(found: readonly FoundEntry[], tolerance: number): FoundEntry[] {
  const nearEntries = new Set<FoundEntry>();
  const boards = Map.groupBy(found, boardId);
  for (const ofBoard of boards.values()) {
    const slowest = ofBoard
      .map((entry) => ({ entry, timeMs: entry.timeMs, playerKey: nameKey(entry.playerName) }))
      .sort((a, b) => a.timeMs - b.timeMs);
    addNearPrevious(slowest, tolerance, nearEntries);
    addNearPrevious(slowest.reverse(), tolerance, nearEntries);
  }
  return found.filter((entry) => nearEntries.has(entry));
}

interface TimedEntry {
  readonly entry: FoundEntry;
  readonly timeMs: number;
  readonly playerKey: string;
}

/** Compares each entry with earlier ones of other players by time. */
function addNearPrevious(byTime: readonly TimedEntry[], tolerance: number, nearEntries: Set<FoundEntry>): void {
  let previous: TimedEntry | undefined;
  let previousOther: TimedEntry | undefined;
  for (const standing of byTime) {
    if (previous !== undefined && previous.playerKey !== standing.playerKey) previousOther = previous;
    previous = standing;
    if (previousOther !== undefined && Math.abs(standing.timeMs - previousOther.timeMs) <= tolerance) {
      nearEntries.add(standing.entry);
    }
  }
}
