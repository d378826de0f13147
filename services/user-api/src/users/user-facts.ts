import { chunk } from '@lobbystats/concurrency';
import {
  achievementUnlocked,
  createFacts,
  playtimeCredited,
  USERS_PER_FACT,
  userStored,
  type Fact,
  type FactMetadata,
} from '@lobbystats/contracts';
import { unlockFactData } from '../achievements/unlock-facts.ts';
import { totalMinutes, type UserRecord } from './user-record.ts';
import type { UserCommitPlan } from './user-commit-plan.ts';

export function userFacts({ named, credited, unlocks }: UserCommitPlan, about: FactMetadata): Fact[] {
  const { revision } = about;
  const userFactData = chunk(named, USERS_PER_FACT).map((some) => ({ revision, users: some.map(toNames) }));
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
