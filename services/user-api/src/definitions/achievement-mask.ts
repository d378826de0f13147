import { formatTimestamp, USERS_PER_FACT, type EpochSeconds, type RecentUnlock } from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import type { Definition } from './definitions.ts';

const HIDDEN_NAME = 'Hidden Achievement';
const HIDDEN_DESCRIPTION = 'Keep playing to find out.';

export function maskedText({
  id,
  key,
  name,
  description,
  isHidden,
  picture,
}: Definition): Pick<Definition, 'key' | 'name' | 'description' | 'picture'> {
  if (!isHidden) return { key, name, description, picture };
  return { key: `hidden-${id}`, name: HIDDEN_NAME, description: HIDDEN_DESCRIPTION };
}

interface DefinedUnlock {
  readonly username: string;
  readonly definition: Definition;
  readonly unlockedAt: EpochSeconds;
}

export function recentUnlockOf({ username, definition, unlockedAt }: DefinedUnlock): RecentUnlock {
  const { key, name } = maskedText(definition);
  const { titleId, displayName } = definition.group;
  const gameName = definition.isHidden || titleId === null ? '' : displayName;
  return {
    username,
    unlockedAt: formatTimestamp(unlockedAt),
    achievementId: definition.id,
    achievementKey: key,
    achievementName: gameName === '' ? name : `${name} (${gameName})`,
    gameName,
    points: definition.isHidden ? 0 : definition.points,
  };
}

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
