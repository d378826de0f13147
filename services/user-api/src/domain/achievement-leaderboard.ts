import { usernameKey } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { LeaderboardPlace, UserStore } from './user-store.ts';

/** How often a person is looked for whom others push off the page meanwhile. */
const MAX_ATTEMPTS = 3;

/** What the leaderboard needs of the store. */
export type LeaderboardStore = Pick<UserStore, 'leaderboard' | 'leaderboardOffset'>;

/**
 * The page with a person in its middle. It is never shorter than it could be: at the leaderboard's ends it is moved inwards.
 * Of an even number one more stands behind the person than before.
 *
 * @throws AppError `not-found` for somebody who isn't on the leaderboard
 */
export async function leaderboardAround(
  store: LeaderboardStore,
  userKey: string,
  limit: number,
): Promise<LeaderboardPlace[]> {
  for (let attempt = 1; ; attempt += 1) {
    const place = await store.leaderboardOffset(userKey);
    if (place === undefined) throw new AppError('not-found', 'Unknown username');
    const page = await fullPage(store, Math.max(0, place - Math.floor((limit - 1) / 2)), limit);
    if (attempt === MAX_ATTEMPTS || page.some(({ username }) => usernameKey(username) === userKey)) return page;
  }
}

async function fullPage(store: LeaderboardStore, offset: number, limit: number): Promise<LeaderboardPlace[]> {
  const page = await store.leaderboard(offset, limit);
  if (offset === 0 || page.length === limit) return page;
  return store.leaderboard(Math.max(0, offset - (limit - page.length)), limit);
}
