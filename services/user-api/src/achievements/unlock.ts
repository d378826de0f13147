import type { EpochSeconds } from '@lobbystats/contracts';
import type { Definition, Definitions } from './definitions.ts';
import { newlyFulfilled } from './evaluate.ts';
import type { PlayerRecord, UserRecord } from '../users/user-record.ts';
import type { NewUnlock } from '../users/user-commit-plan.ts';

/** Adds newly fulfilled achievements. `player` may be omitted when unchanged. `at` returns the time of an unlock. */
export function unlockEarned(
  user: UserRecord,
  player: PlayerRecord | undefined,
  definitions: Definitions,
  at: (definition: Definition) => EpochSeconds,
): { user: UserRecord; unlocks: NewUnlock[] } {
  const earned = newlyFulfilled(definitions, { user, player });
  if (earned.length === 0) return { user, unlocks: [] };
  const unlocked = [...user.unlocked, ...earned.map(({ id }) => id)].sort((a, b) => a - b);
  const score = earned.reduce((sum, { points }) => sum + points, user.score);
  const userAfter: UserRecord = { ...user, unlocked, score };
  return {
    user: userAfter,
    unlocks: earned.map((definition) => ({ user: userAfter, definition, unlockedAt: at(definition) })),
  };
}
