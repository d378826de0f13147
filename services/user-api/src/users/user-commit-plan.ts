import type { EpochSeconds } from '@lobbystats/contracts';
import type { Definition } from '../achievements/definitions.ts';
import type { HostDay, PlayDay, PlayerRecord, Unlock, UserRecord } from './user-record.ts';

export interface NewUnlock {
  readonly user: UserRecord;
  readonly definition: Definition;
  readonly unlockedAt: EpochSeconds;
}

export function toUnlock({ user, definition, unlockedAt }: NewUnlock): Unlock {
  return { userKey: user.key, achievementId: definition.id, unlockedAt };
}

export interface UserCommitPlan {
  readonly users: readonly UserRecord[];
  readonly playDays: readonly PlayDay[];
  readonly players: readonly PlayerRecord[];
  readonly hostDays: readonly HostDay[];
  readonly unlocks: readonly NewUnlock[];
  readonly named: readonly UserRecord[];
  readonly credited: readonly UserRecord[];
  readonly slots: number;
}

export const EMPTY_PLAN: UserCommitPlan = {
  users: [],
  playDays: [],
  players: [],
  hostDays: [],
  unlocks: [],
  named: [],
  credited: [],
  slots: 0,
};

export function isEmptyPlan({ users, playDays, players, hostDays }: UserCommitPlan): boolean {
  return users.length + playDays.length + players.length + hostDays.length === 0;
}
