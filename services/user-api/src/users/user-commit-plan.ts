import {
  achievementUnlocked,
  createFacts,
  playtimeCredited,
  USERS_PER_FACT,
  userStored,
  type EpochSeconds,
  type Fact,
  type FactMetadata,
} from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import type { Definition } from '../achievements/definitions.ts';
import { totalMinutes, type Unlock, type UserRecord } from './user-record.ts';
import type { UserCommit } from './user-store.ts';
import { unlockFactData } from '../achievements/achievement-mask.ts';

export interface NewUnlock {
  readonly user: UserRecord;
  readonly definition: Definition;
  readonly unlockedAt: EpochSeconds;
}

export function toUnlock({ user, definition, unlockedAt }: NewUnlock): Unlock {
  return { userKey: user.key, achievementId: definition.id, unlockedAt };
}

type WrittenRecords = Required<Pick<UserCommit, 'users' | 'playDays' | 'players' | 'hostDays'>>;

export interface UserCommitPlan extends WrittenRecords {
  readonly unlocks: readonly NewUnlock[];
  readonly named: readonly UserRecord[];
  readonly retired: readonly UserRecord[];
  /** Keys. */
  readonly retiredPlayers: readonly string[];
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
  retired: [],
  retiredPlayers: [],
  credited: [],
  slots: 0,
};

export function isEmptyPlan(plan: UserCommitPlan): boolean {
  const { users, playDays, players, hostDays, retired, retiredPlayers } = plan;
  return [users, playDays, players, hostDays, retired, retiredPlayers].every((records) => records.length === 0);
}

export function userFacts({ named, retired, credited, unlocks }: UserCommitPlan, about: FactMetadata): Fact[] {
  const { revision } = about;
  const userFactData = [
    ...chunk(named, USERS_PER_FACT).map((some) => ({ revision, users: some.map(toNames) })),
    ...chunk(retired, USERS_PER_FACT).map((some) => ({
      revision,
      users: [],
      retired: some.map(({ username }) => username),
    })),
  ];
  const play = chunk(credited, USERS_PER_FACT).map((some) => ({ users: some.map(toTotalMinutes) }));
  const news = unlockFactData(
    unlocks.map(({ user, definition, unlockedAt }) => ({ username: user.username, definition, unlockedAt })),
  );
  return [
    ...createFacts(userStored, userFactData, about),
    ...createFacts(playtimeCredited, play, about),
    ...createFacts(achievementUnlocked, news, about),
  ];
}

function toNames({ username, gamertag }: UserRecord) {
  return { username, gamertag };
}

function toTotalMinutes(user: UserRecord) {
  return { username: user.username, totalMinutes: totalMinutes(user) };
}
