import type { Unlock, UserRecord } from '../domain/user-record.ts';

/** What indexes and counts have of a person. */
export interface Placed {
  readonly username: string;
  readonly gamertag: string;
  readonly score: number;
  readonly unlockCount: number;
}

/** A person as they are from a commit on, and what indexes and counts have of them until then. */
export interface UserChange {
  readonly user: UserRecord;
  /** undefined: new. */
  readonly before: Placed | undefined;
}

/** Each person once, the last word on them. */
export function userChanges(users: readonly UserRecord[], before: ReadonlyMap<string, Placed>): UserChange[] {
  const byKey = new Map(users.map((user) => [user.key, user]));
  return Array.from(byKey.values(), (user) => ({ user, before: before.get(user.key) }));
}

/** Whether indexes and counts stay as they are. */
export function isInPlace({ user, before }: UserChange): boolean {
  return (
    before?.username === user.username &&
    before.gamertag === user.gamertag &&
    before.score === user.score &&
    before.unlockCount === user.unlocked.length
  );
}

/** Whether somebody's unlocks have another spelling of their username. */
export function isRenamed({ user, before }: UserChange): boolean {
  return before !== undefined && before.unlockCount > 0 && before.username !== user.username;
}

/** By how much more people on the leaderboard have each score, or fewer. */
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

/** How many of these unlocks are of each achievement. */
export function unlocksByAchievement(unlocks: readonly Unlock[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { achievementId } of unlocks) counts.set(achievementId, (counts.get(achievementId) ?? 0) + 1);
  return counts;
}
