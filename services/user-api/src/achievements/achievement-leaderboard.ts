import { usernameKey } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { LeaderboardEntry, UserStore } from '../users/user-store.ts';

/** Retries when a user leaves the page during the read. */
const MAX_ATTEMPTS = 3;

export type LeaderboardStore = Pick<UserStore, 'leaderboard' | 'leaderboardOffset'>;

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
