import type { LeaderboardEntry } from '../users/user-store.ts';

export interface ScoreCount {
  readonly score: number;
  readonly count: number;
}

export interface PageStart {
  readonly score: number;
  readonly higher: number;
  /** Users with the same score before the page. */
  readonly skipped: number;
}

/**
 * Finds the score at which a page begins, so that only users with that score are skipped one by one. `counts`: highest
 * score first. Undefined after the last user.
 */
export function pageStart(counts: readonly ScoreCount[], offset: number): PageStart | undefined {
  let higher = 0;
  for (const { score, count } of counts) {
    if (higher + count > offset) return { score, higher, skipped: offset - higher };
    higher += count;
  }
  return undefined;
}

export const FIRST_PAGE: PageStart = { score: Number.MAX_SAFE_INTEGER, higher: 0, skipped: 0 };

/** Competition ranking: equal scores share a rank, and the next rank counts all before it. */
export function rankPage(rows: readonly Omit<LeaderboardEntry, 'rank'>[], start: PageStart): LeaderboardEntry[] {
  let { score: rankedScore, higher } = start;
  return rows.map(({ username, score, achievementCount }, index) => {
    if (score !== rankedScore) [rankedScore, higher] = [score, start.higher + start.skipped + index];
    return { rank: higher + 1, username, score, achievementCount };
  });
}
