import {
  formatTimestamp,
  type EpochSeconds,
  type operations,
  type Reply,
  type UserAchievement,
} from '@lobbystats/contracts';
import { maskedText } from '../definitions/achievement-mask.ts';
import {
  pointsOf,
  type AchievementGroup,
  type Definition,
  type Definitions,
  type DefinitionOf,
} from '../definitions/definitions.ts';
import type { Unlock } from '../users/user-record.ts';

export type UserAchievementsBody = Reply<typeof operations.getUserAchievements>['body'];

interface GroupView {
  readonly group: AchievementGroup;
  readonly achievements: readonly UserAchievement[];
}

interface AchievementViews {
  readonly locked: UserAchievement;
  readonly earned: UserAchievement;
}

/**
 * A user's achievements, newest first, and all achievements by group in file order. Removed ones show for users who have
 * them.
 */
export class UserAchievementsView {
  readonly #looks: ReadonlyMap<number, AchievementViews>;
  readonly #groups: ReadonlyMap<string, GroupView>;
  readonly #imageUrl: (image: string) => string;

  constructor({ all, groups }: Definitions, imageUrl: (image: string) => string) {
    const looks = all.map((definition): [number, AchievementViews] => [
      definition.id,
      { locked: lockedView(definition), earned: earnedView(definition, definition.group) },
    ]);
    this.#looks = new Map(looks);
    this.#groups = new Map(
      groups.map((group) => {
        const inGroup = all.filter((definition) => definition.group.groupId === group.groupId);
        return [group.groupId, { group, achievements: inGroup.flatMap(({ id }) => this.#looks.get(id)?.locked ?? []) }];
      }),
    );
    this.#imageUrl = imageUrl;
  }

  of(unlocks: readonly Unlock[], definitionOf: DefinitionOf): UserAchievementsBody {
    const earned = new Map<number, UserAchievement>();
    const removedDefinitions: Definition[] = [];
    const timestampOf = cachedTimestamps();
    for (const { achievementId, unlockedAt } of unlocks) {
      const definition = definitionOf(achievementId);
      if (definition === undefined) continue;
      const look = this.#looks.get(achievementId)?.earned;
      if (look === undefined) removedDefinitions.push(definition);
      const view = look ?? earnedView(definition, this.#groupOf(definition));
      earned.set(achievementId, { ...view, unlocked_at: timestampOf(unlockedAt) });
    }
    const groups = removedDefinitions.length === 0 ? this.#groups : this.#groupsWith(removedDefinitions);
    const achievements = [...earned.values()];
    return {
      score: pointsOf(achievements),
      achievements,
      groups: Array.from(groups.values(), (group) => this.#groupView(group, earned)),
    };
  }

  #groupView({ group, achievements }: GroupView, earned: ReadonlyMap<number, UserAchievement>) {
    const { groupId, titleId, displayName, imageUrl } = group;
    let [unlockedCount, earnedPoints] = [0, 0];
    const views = achievements.map((locked) => {
      const own = earned.get(locked.id);
      if (own === undefined) return locked;
      unlockedCount += 1;
      earnedPoints += own.points;
      return own;
    });
    return {
      groupId,
      titleId,
      displayName,
      imageUrl: this.#imageUrl(imageUrl),
      unlockedCount,
      totalCount: views.length,
      earnedPoints,
      achievements: views,
    };
  }

  #groupOf({ group }: Definition): AchievementGroup {
    return this.#groups.get(group.groupId)?.group ?? group;
  }

  #groupsWith(removedDefinitions: readonly Definition[]): Map<string, GroupView> {
    const groups = new Map(this.#groups);
    for (const definition of removedDefinitions) {
      const { groupId } = definition.group;
      const { group, achievements } = groups.get(groupId) ?? { group: definition.group, achievements: [] };
      const all = [...achievements, earnedView(definition, group)].sort((a, b) => a.id - b.id);
      groups.set(groupId, { group, achievements: all });
    }
    return groups;
  }
}

function lockedView(definition: Definition): UserAchievement {
  return achievementView(definition, definition.group, { ...maskedText(definition), earned: false });
}

/** Earned, so not masked. The time is added later. */
function earnedView(definition: Definition, group: AchievementGroup): UserAchievement {
  const { key, name, description, isHidden, picture } = definition;
  const view = achievementView(definition, group, { key, name, description, picture, earned: true });
  return isHidden ? { ...view, revealed_name: name, revealed_description: description } : view;
}

function achievementView(
  { id, points, isHidden }: Definition,
  { titleId, displayName }: AchievementGroup,
  {
    key,
    name,
    description,
    picture,
    earned,
  }: Pick<UserAchievement, 'key' | 'name' | 'description' | 'picture' | 'earned'>,
): UserAchievement {
  return {
    id,
    key,
    name,
    description,
    picture,
    points,
    is_hidden: isHidden,
    earned,
    unlocked_at: null,
    game_title_id: titleId,
    category: displayName,
  };
}

function cachedTimestamps(): (at: EpochSeconds) => string {
  let [last, text]: [EpochSeconds | undefined, string] = [undefined, ''];
  return (at) => {
    if (at !== last) [last, text] = [at, formatTimestamp(at)];
    return text;
  };
}
