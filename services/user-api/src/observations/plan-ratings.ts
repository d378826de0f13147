import { normalizeUsername, usernameKey, type EpochSeconds } from '@lobbystats/contracts';
import type { Definitions } from '../definitions/definitions.ts';
import { createUserRecord } from '../profiles/profile-view.ts';
import { earn, type FulfilmentTimes, type UnlockTimes } from '../achievements/fulfilment-times.ts';
import { ruleIndex } from '../definitions/rule-index.ts';
import type { UserRecord } from '../users/user-record.ts';
import { EMPTY_PLAN, type UserCommitPlan } from '../users/user-commit-plan.ts';

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

interface RaterState {
  readonly users: ReadonlyMap<string, UserRecord>;
  readonly unlockTimes: ReadonlyMap<string, UnlockTimes>;
  readonly erased: ReadonlySet<string>;
}

/** A rater becomes known, even if the feed never showed them, so that the order of messages doesn't matter. */
export function planRatings(ratings: readonly Rating[], known: RaterState, definitions: Definitions): UserCommitPlan {
  const rules = ruleIndex(definitions).ratingsGiven;
  const outcomes = Map.groupBy(ratings, ({ key }) => key)
    .entries()
    .flatMap(([key, ofUser]) => {
      const before = known.users.get(key) ?? createUserRecord(key, ofUser[0]?.username ?? '');
      const ratingsGiven = Math.max(before.ratingsGiven, ...ofUser.map((rating) => rating.ratingsGiven));
      if (known.erased.has(key) || ratingsGiven === 0) return [];
      const times: FulfilmentTimes = new Map();
      for (const { bound, definition } of rules) {
        const earliest = ofUser.find((rating) => rating.ratingsGiven >= bound);
        if (earliest !== undefined) times.set(definition, earliest.at);
      }
      const earned = earn({ ...before, ratingsGiven }, times, known.unlockTimes.get(key));
      const isChanged = ratingsGiven !== before.ratingsGiven || earned.unlocks.length + earned.moved.length > 0;
      return isChanged ? [earned] : [];
    })
    .toArray();
  const users = outcomes.map(({ user }) => user);
  return {
    ...EMPTY_PLAN,
    users,
    named: users.filter(({ key }) => !known.users.has(key)),
    unlocks: outcomes.flatMap(({ unlocks }) => unlocks),
    movedUnlocks: outcomes.flatMap(({ moved }) => moved),
  };
}
