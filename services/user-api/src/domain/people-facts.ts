import {
  achievementUnlocked,
  playtimeCredited,
  USERS_PER_FACT,
  userStored,
  type Fact,
  type MessageType,
} from '@lobbystats/contracts';
import { unlockFactData } from './unlock-facts.ts';
import { totalMinutes, type UserRecord } from './user-record.ts';
import type { WorkedOut } from './worked-out.ts';

/** Whose facts they are, of when, and of which revision of the people. */
export interface FactsAbout extends Pick<Fact, 'occurredAt' | 'past'> {
  readonly origin: string;
  readonly revision: number;
}

/** The facts of one commit: of people who are new or called otherwise, of play time, of what was unlocked. */
export function peopleFacts({ named, credited, unlocks }: WorkedOut, about: FactsAbout): Fact[] {
  const { revision } = about;
  const people = chunks(named).map((some) => ({ revision, users: some.map(nameOf) }));
  const play = chunks(credited).map((some) => ({ users: some.map(minutesOf) }));
  const news = unlockFactData(
    unlocks.map(({ user, definition, unlockedAt }) => ({ username: user.username, definition, unlockedAt })),
  );
  return [
    ...factsOf(userStored, people, about),
    ...factsOf(playtimeCredited, play, about),
    ...factsOf(achievementUnlocked, news, about),
  ];
}

function factsOf(
  { key: type }: MessageType,
  data: readonly unknown[],
  { origin, revision, occurredAt, past }: FactsAbout,
): Fact[] {
  return data.map((some, index) => ({
    type,
    id: `${type}:${origin}:${revision}:${index + 1}`,
    occurredAt,
    past,
    data: some,
  }));
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / USERS_PER_FACT) }, (_, index) =>
    items.slice(index * USERS_PER_FACT, (index + 1) * USERS_PER_FACT),
  );
}

function nameOf({ username, gamertag }: UserRecord) {
  return { username, gamertag };
}

function minutesOf(user: UserRecord) {
  return { username: user.username, totalMinutes: totalMinutes(user) };
}
