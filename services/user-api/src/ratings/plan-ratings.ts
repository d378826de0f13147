import { normalizeUsername, usernameKey, type EpochSeconds } from '@lobbystats/contracts';
import type { Definitions } from '../achievements/definitions.ts';
import { createUserRecord } from '../profiles/profile-view.ts';
import { unlockEarned } from '../achievements/evaluate.ts';
import type { UserRecord } from '../users/user-record.ts';
import { EMPTY_PLAN, type NewUnlock, type UserCommitPlan } from '../users/user-commit-plan.ts';

export interface Rater {
  readonly username: string;
  readonly ratingsGiven: number;
}

interface Rating extends Rater {
  readonly key: string;
  readonly at: EpochSeconds;
}

export function ratingsOf(
  messages: readonly { readonly at: EpochSeconds; readonly raters: readonly Rater[] }[],
): Rating[] {
  return messages
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, raters }) =>
      raters.map(({ username, ratingsGiven }) => {
        const plain = normalizeUsername(username);
        return { username: plain, ratingsGiven, key: usernameKey(plain), at };
      }),
    )
    .filter(({ username }) => username !== '');
}

/** A rater becomes known, even if the feed never showed them, so that the order of messages doesn't matter. */
export function planRatings(
  ratings: readonly Rating[],
  known: { readonly users: ReadonlyMap<string, UserRecord>; readonly erased: ReadonlySet<string> },
  definitions: Definitions,
): UserCommitPlan {
  const users = new Map<string, UserRecord>();
  const unlocks: NewUnlock[] = [];
  for (const { key, username, ratingsGiven, at } of ratings) {
    const before = users.get(key) ?? known.users.get(key) ?? createUserRecord(key, username);
    if (known.erased.has(key) || before.ratingsGiven >= ratingsGiven) continue;
    const unlocked = unlockEarned({ ...before, ratingsGiven }, undefined, definitions, () => at);
    users.set(key, unlocked.user);
    unlocks.push(...unlocked.unlocks);
  }
  const changed = [...users.values()];
  return { ...EMPTY_PLAN, users: changed, named: changed.filter(({ key }) => !known.users.has(key)), unlocks };
}
