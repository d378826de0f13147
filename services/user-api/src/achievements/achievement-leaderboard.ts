import { usernameKey } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { LeaderboardEntry, UserStore } from '../users/user-store.ts';

/** Retries when a user leaves the page during the read. */
const MAX_ATTEMPTS = 3;

type LeaderboardStore = Pick<UserStore, 'leaderboard' | 'leaderboardOffset'>;

/**
 * A page centred on a user, moved inwards at the ends. With an even limit, one more user follows than precedes.
 *
 * @throws AppError `not-found` for a user who is not on the leaderboard
 */
export async function leaderboardAround(
  store: LeaderboardStore,
  userKey: string,
  limit: number,
): Promise<LeaderboardEntry[]> {
  for (let attempt = 1; ; attempt += 1) {
    const offset = await store.leaderboardOffset(userKey);
    if (offset === undefined) throw new AppError('not-found', 'Unknown username');
    const page = await fullPage(store, Math.max(0, offset - Math.floor((limit - 1) / 2)), limit);
    if (attempt === MAX_ATTEMPTS || page.some(({ username }) => usernameKey(username) === userKey)) return page;
  }
}

async function fullPage(store: LeaderboardStore, offset: number, limit: number): Promise<LeaderboardEntry[]> {
  const page = await store.leaderboard(offset, limit);
  if (offset === 0 || page.length === limit) return page;
  return store.leaderboard(Math.max(0, offset - (limit - page.length)), limit);
}

export interface ScoreCount {
  readonly score: number;
  readonly count: number;
}

interface PageStart {
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
