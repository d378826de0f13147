import { formatTimestamp, type EpochSeconds, type RecentUnlock } from '@lobbystats/contracts';
import type { AchievementGroup, Definition } from './definitions.ts';

const HIDDEN_NAME = 'Hidden Achievement';
const HIDDEN_DESCRIPTION = 'Keep playing to find out.';

export interface AchievementText {
  readonly key: string;
  readonly name: string;
  readonly description: string;
}

export function maskedText({ id, key, name, description, isHidden }: Definition): AchievementText {
  if (!isHidden) return { key, name, description };
  return { key: `hidden-${id}`, name: HIDDEN_NAME, description: HIDDEN_DESCRIPTION };
}

export interface DefinedUnlock {
  readonly username: string;
  readonly definition: Definition;
  readonly unlockedAt: EpochSeconds;
}

export function recentUnlockOf({ username, definition, unlockedAt }: DefinedUnlock): RecentUnlock {
  const { key, name } = maskedText(definition);
  const gameName = definition.isHidden ? '' : gameOf(definition.group);
  return {
    username,
    unlockedAt: formatTimestamp(unlockedAt),
    achievementId: definition.id,
    achievementKey: key,
    achievementName: gameName === '' ? name : `${name} (${gameName})`,
    gameName,
    points: definition.points,
  };
}

function gameOf({ titleId, displayName }: AchievementGroup): string {
  return titleId === null ? '' : displayName;
}
