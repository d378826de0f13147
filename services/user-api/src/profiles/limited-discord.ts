import { DebtTokenBucket, KeyedTokenBuckets, LRUCache } from '@lobbystats/service-kit/concurrency';
import { AppError } from '@lobbystats/contracts/errors';
import type { Discord } from './discord.ts';

/** Each look-up costs this. */
const COST_MS = 1000;
/** One look-up a second for all users, some at once. */
const ALL = { share: 1, burstMs: 9 * COST_MS };
/** Five an hour for one user. */
const PER_USER = { share: (5 * COST_MS) / 3_600_000, burstMs: 4 * COST_MS };
/** How long an ID that Discord does not know is not looked up again, in milliseconds. */
const UNKNOWN_MS = 600_000;
/** Users, and unknown IDs, that are remembered. The oldest are dropped. */
const ENTRIES_MAX = 10_000;

/**
 * Limits what is asked of Discord, which bans addresses that ask too much.
 *
 * @param now milliseconds of a clock that never goes back
 * @throws AppError `lookup-failed` (as `discord`) above a limit; nothing is sent then
 */
export function limitLookUps(discord: Discord, now: () => number): Discord {
  const all = new DebtTokenBucket({ ...ALL, now });
  const users = new KeyedTokenBuckets({ ...PER_USER, now }, ENTRIES_MAX);
  const unknownUntil = new LRUCache<string, number>({ max: ENTRIES_MAX });

  return {
    user: async (id, userKey) => {
      if ((unknownUntil.get(id) ?? -Infinity) > now()) return undefined;
      const buckets = [users.of(userKey), all];
      if (buckets.some((bucket) => bucket.retryAfterMs() > 0)) {
        throw new AppError('lookup-failed', 'Too many look-ups in Discord, try again later');
      }
      for (const bucket of buckets) bucket.charge(COST_MS);
      const found = await discord.user(id, userKey);
      if (found === undefined) unknownUntil.set(id, now() + UNKNOWN_MS);
      return found;
    },
  };
}
