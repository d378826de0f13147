import {
  achievementUnlocked,
  factsOf,
  playtimeCredited,
  USERS_PER_FACT,
  userStored,
  type Fact,
  type FactsAbout,
} from '@lobbystats/contracts';
import { slices } from './slices.ts';
import { unlockFactData } from './unlock-facts.ts';
import { totalMinutes, type UserRecord } from './user-record.ts';
import type { WorkedOut } from './worked-out.ts';

export function peopleFacts({ named, credited, unlocks }: WorkedOut, about: FactsAbout): Fact[] {
  const { revision } = about;
  const people = slices(named, USERS_PER_FACT).map((some) => ({ revision, users: some.map(nameOf) }));
  const play = slices(credited, USERS_PER_FACT).map((some) => ({ users: some.map(minutesOf) }));
  const news = unlockFactData(
    unlocks.map(({ user, definition, unlockedAt }) => ({ username: user.username, definition, unlockedAt })),
  );
  return [
    ...factsOf(userStored, people, about),
    ...factsOf(playtimeCredited, play, about),
    ...factsOf(achievementUnlocked, news, about),
  ];
}

function nameOf({ username, gamertag }: UserRecord) {
  return { username, gamertag };
}

function minutesOf(user: UserRecord) {
  return { username: user.username, totalMinutes: totalMinutes(user) };
}
