import { chunk } from '@lobbystats/concurrency';
import { USERS_PER_FACT, type RecentUnlock } from '@lobbystats/contracts';
import { recentUnlockOf, type DefinedUnlock } from './achievement-mask.ts';

/** Data of `achievement.unlocked` facts, hidden ones masked. Sorted, so that equal unlocks give equal facts. */
export function unlockFactData(unlocks: readonly DefinedUnlock[]): { unlocks: RecentUnlock[] }[] {
  const sorted = unlocks.toSorted(oldestFirst).map(recentUnlockOf);
  return chunk(sorted, USERS_PER_FACT).map((some) => ({ unlocks: some }));
}

function oldestFirst(a: DefinedUnlock, b: DefinedUnlock): number {
  if (a.unlockedAt !== b.unlockedAt) return a.unlockedAt - b.unlockedAt;
  if (a.username !== b.username) return a.username < b.username ? -1 : 1;
  return a.definition.id - b.definition.id;
}
