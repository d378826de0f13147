import type { EpochSeconds } from '@lobbystats/contracts';
import type { Definition } from './definitions.ts';
import type { HostDay, PlayDay, PlayerRecord, Unlock, UserRecord } from './user-record.ts';

/** An achievement that somebody has come to have. */
export interface NewUnlock {
  readonly user: UserRecord;
  readonly definition: Definition;
  readonly unlockedAt: EpochSeconds;
}

/** It, as it is stored. */
export function unlockOf({ user, definition, unlockedAt }: NewUnlock): Unlock {
  return { userKey: user.key, achievementId: definition.id, unlockedAt };
}

/** What messages do to people: a commit that lacks its facts and its revision. All records are new or changed. */
export interface WorkedOut {
  readonly users: readonly UserRecord[];
  readonly playDays: readonly PlayDay[];
  readonly players: readonly PlayerRecord[];
  readonly hostDays: readonly HostDay[];
  /** Of people in `users`. */
  readonly unlocks: readonly NewUnlock[];
  /** People in `users` who are new, or are called otherwise than before. */
  readonly named: readonly UserRecord[];
  /** People in `users` who have earned play time or were seen in another state. */
  readonly credited: readonly UserRecord[];
  /** Slots of play time that were earned. */
  readonly slots: number;
}

export const NOTHING_WORKED_OUT: WorkedOut = {
  users: [],
  playDays: [],
  players: [],
  hostDays: [],
  unlocks: [],
  named: [],
  credited: [],
  slots: 0,
};

/** Whether there is nothing to be written. */
export function isNothing({ users, playDays, players, hostDays }: WorkedOut): boolean {
  return users.length + playDays.length + players.length + hostDays.length === 0;
}
