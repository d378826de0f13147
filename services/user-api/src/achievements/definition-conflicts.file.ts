import { z } from 'zod';

const anyText = z.string().optional().catch(undefined);
const anyNumber = z.number().optional().catch(undefined);
const anyRule = z.object({ titleId: anyText }).optional().catch(undefined);
const anyGroup = z.object({ groupId: anyText, titleId: anyText });
const anyAchievement = z.object({ id: anyNumber, key: anyText, groupId: anyText, rule: anyRule });

const readable = z.object({
  groups: z.array(anyGroup.or(z.unknown().transform((): z.output<typeof anyGroup> => ({})))).catch([]),
  achievements: z
    .array(anyAchievement.or(z.unknown().transform((): z.output<typeof anyAchievement> => ({}))))
    .catch([]),
});

export function definitionConflicts(file: unknown): string[] {
  const { success, data } = readable.safeParse(file);
  if (!success) return [];
  const { groups, achievements } = data;
  return [
    ...findDuplicates('groups', 'groupId', groups),
    ...findDuplicates('achievements', 'id', achievements),
    ...findDuplicates('achievements', 'key', achievements),
    ...achievements.flatMap(({ groupId, rule }, index) => {
      if (groupId === undefined) return [];
      const group = groups.find((other) => other.groupId === groupId);
      if (group === undefined) return [`achievements[${index}].groupId names no group`];
      if (group.titleId === undefined || rule?.titleId === undefined) return [];
      if (group.titleId.toLowerCase() === rule.titleId.toLowerCase()) return [];
      return [`achievements[${index}].rule.titleId must be that of the group`];
    }),
    ...groups.flatMap(({ groupId }, index) => {
      const isUsed = groupId === undefined || achievements.some((achievement) => achievement.groupId === groupId);
      return isUsed ? [] : [`groups[${index}] has no achievements`];
    }),
  ];
}

function findDuplicates<Field extends string>(
  list: string,
  field: Field,
  elements: readonly Partial<Record<Field, string | number | undefined>>[],
): string[] {
  const firsts = new Map<string | number, number>();
  return elements.flatMap((element, index) => {
    const value = element[field];
    if (value === undefined) return [];
    const first = firsts.get(value);
    if (first !== undefined) return [`${list}[${index}].${field} is that of ${list}[${first}] already`];
    firsts.set(value, index);
    return [];
  });
}
