import type { operations, Reply } from '@lobbystats/contracts';
import { maskedText } from '../definitions/achievement-mask.ts';
import { pointsOf, type Definitions } from '../definitions/definitions.ts';
import type { UnlockCounts } from '../users/user-store.ts';

export type AchievementCatalogBody = Reply<typeof operations.listAchievements>['body'];

export function achievementCatalogView(
  { all, groups }: Definitions,
  imageUrl: (image: string) => string,
): (counts: UnlockCounts) => AchievementCatalogBody {
  const achievements = all.map((definition) => ({
    id: definition.id,
    ...maskedText(definition),
    points: definition.points,
    is_hidden: definition.isHidden,
    game_title_id: definition.group.titleId,
    category: definition.group.displayName,
    groupId: definition.group.groupId,
  }));
  const groupViews = groups.map((group) => {
    const inGroup = all.filter((definition) => definition.group.groupId === group.groupId);
    return {
      groupId: group.groupId,
      titleId: group.titleId,
      displayName: group.displayName,
      imageUrl: imageUrl(group.imageUrl),
      totalCount: inGroup.length,
      totalPoints: pointsOf(inGroup),
    };
  });
  const maxGamerscore = pointsOf(all);
  return ({ byAchievement, players }) => ({
    achievements: achievements.map((achievement) => ({
      ...achievement,
      unlockedBy: byAchievement.get(achievement.id) ?? 0,
    })),
    groups: groupViews,
    stats: { maxGamerscore, totalAchievements: all.length, playersWithAchievements: players },
  });
}
