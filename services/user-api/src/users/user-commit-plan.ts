import {
  achievementUnlocked,
  createFacts,
  HOUR_SECONDS,
  playtimeCredited,
  USERS_PER_FACT,
  userStored,
  type EpochSeconds,
  type Fact,
  type FactMetadata,
} from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import type { Definition } from '../definitions/definitions.ts';
import { totalMinutes, type Unlock, type UserRecord } from './user-record.ts';
import type { UserCommit, WithdrawnSlots } from './user-store.ts';
import { unlockFactData } from '../definitions/achievement-mask.ts';

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
  /** Unlocks of before, with earlier times. */
  readonly movedUnlocks: readonly NewUnlock[];
  /** Unlocks of before that their users don't have any more. */
  readonly lostUnlocks: readonly NewUnlock[];
  readonly named: readonly UserRecord[];
  readonly retired: readonly UserRecord[];
  /** Keys. */
  readonly retiredPlayers: readonly string[];
  readonly credited: readonly UserRecord[];
  readonly slots: number;
  readonly withdrawals?: readonly WithdrawnSlots[];
}

export const EMPTY_PLAN: UserCommitPlan = {
  users: [],
  playDays: [],
  players: [],
  hostDays: [],
  unlocks: [],
  movedUnlocks: [],
  lostUnlocks: [],
  named: [],
  retired: [],
  retiredPlayers: [],
  credited: [],
  slots: 0,
};

export function isEmptyPlan(plan: UserCommitPlan): boolean {
  const { users, playDays, players, hostDays, retired, retiredPlayers } = plan;
  const records = [users, playDays, players, hostDays, retired, retiredPlayers];
  return plan.withdrawals === undefined && records.every((some) => some.length === 0);
}

/** Unlocks that happened earlier are no news when they become known. */
const NEWS_SECONDS = HOUR_SECONDS;

/** @param now the current time */
export function userFacts(plan: UserCommitPlan, about: FactMetadata, now: EpochSeconds): Fact[] {
  const { named, retired, credited, unlocks, movedUnlocks, lostUnlocks } = plan;
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
  const isNews = ({ unlockedAt }: NewUnlock) => !about.past && unlockedAt > now - NEWS_SECONDS;
  const [news, others] = [unlocks.filter(isNews), [...unlocks.filter((one) => !isNews(one)), ...movedUnlocks]];
  const live = unlockFactData(news.map(toNamed));
  const past = unlockFactData(others.map(toNamed));
  if (lostUnlocks.length > 0) past.push({ unlocks: [] });
  const unlockFacts = createFacts(achievementUnlocked, [...live, ...past], about);
  return [
    ...createFacts(userStored, userFactData, about),
    ...createFacts(playtimeCredited, play, about),
    ...unlockFacts.map((fact, index) => ({ ...fact, past: index >= live.length })),
  ];
}

function toNamed({ user, definition, unlockedAt }: NewUnlock) {
  return { username: user.username, definition, unlockedAt };
}

function toNames({ username, gamertag }: UserRecord) {
  return { username, gamertag };
}

function toTotalMinutes(user: UserRecord) {
  return { username: user.username, totalMinutes: totalMinutes(user) };
}
