import { AppError } from '@lobbystats/contracts/errors';
import type { Unlock, UserRecord } from './user-record.ts';

export interface IndexedState {
  readonly username: string;
  readonly gamertag: string;
  readonly score: number;
  readonly unlockCount: number;
}

export interface UserChange {
  readonly user: UserRecord;
  readonly before: IndexedState | undefined;
}

export function userChanges(users: readonly UserRecord[], before: ReadonlyMap<string, IndexedState>): UserChange[] {
  const byKey = new Map(users.map((user) => [user.key, user]));
  return Array.from(byKey.values(), (user) => ({ user, before: before.get(user.key) }));
}

export function hasSameIndexedState({ user, before }: UserChange): boolean {
  return (
    before?.username === user.username &&
    before.gamertag === user.gamertag &&
    before.score === user.score &&
    before.unlockCount === user.unlocked.length
  );
}

export function isRenamed({ user, before }: UserChange): boolean {
  return before !== undefined && before.unlockCount > 0 && before.username !== user.username;
}

export function scoreDifferences(changes: readonly UserChange[]): Map<number, number> {
  const differences = new Map<number, number>();
  const count = (score: number, difference: number) => {
    differences.set(score, (differences.get(score) ?? 0) + difference);
  };
  for (const { user, before } of changes) {
    if (before !== undefined && before.unlockCount > 0) count(before.score, -1);
    if (user.unlocked.length > 0) count(user.score, 1);
  }
  return new Map([...differences].filter(([, difference]) => difference !== 0));
}

export function unlocksByAchievement(unlocks: readonly Unlock[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { achievementId } of unlocks) counts.set(achievementId, (counts.get(achievementId) ?? 0) + 1);
  return counts;
}

/** The error of a commit that retires a user who has a profile by now. */
export function profileAppeared(): AppError {
  return new AppError('unavailable', 'A user who was to retire has a profile now');
}
