import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { messageOf, StartupError } from '@lobbystats/contracts/errors';
import { z } from 'zod';
import type { AchievementGroup, Definition, Definitions } from './definitions.ts';
import { definitionsFile, type DefinitionsFile } from './definitions-schema.node.ts';

/** @throws StartupError that lists every fault, one a line with its path */
export async function readDefinitionsFile(path: string): Promise<Definitions> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new StartupError(`the achievements' definitions can't be read: ${messageOf(error)}`, { cause: error });
  }
  return parseDefinitions(text, path);
}

export function parseDefinitions(text: string, name: string): Definitions {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new StartupError(`${name} isn't JSON: ${messageOf(error)}`, { cause: error });
  }
  const parsed = definitionsFile.safeParse(json);
  const faults = [...(parsed.success ? [] : definitionFaults(parsed.error)), ...definitionConflicts(json)];
  if (!parsed.success || faults.length > 0) throw new StartupError([`${name} can't be used:`, ...faults].join('\n  '));
  return definitionsOf(parsed.data);
}

function definitionsOf(file: DefinitionsFile): Definitions {
  const groups = new Map(file.groups.map((group): [string, AchievementGroup] => [group.groupId, group]));
  const all = file.achievements
    .flatMap(({ groupId, ...achievement }): Definition[] => {
      const group = groups.get(groupId);
      return group === undefined ? [] : [{ ...achievement, group }];
    })
    .sort((a, b) => a.id - b.id);
  const content = { groups: [...groups.values()], all };
  return { ...content, digest: createHash('sha256').update(JSON.stringify(content)).digest('hex') };
}

/** One line for each schema fault, with its path: `achievements[3].rule.minutes must be …`. */
function definitionFaults({ issues }: z.ZodError): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `${pathText([...issue.path, key])} is not known`);
    return [`${pathText(issue.path)} ${faultOf(issue)}`];
  });
}

function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the file';
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union') return 'must be a known kind of rule';
  if (issue.code !== 'invalid_type' || issue.message.startsWith('must')) return issue.message;
  return EXPECTED[issue.expected] ?? issue.message;
}

const EXPECTED: Readonly<Record<string, string>> = {
  object: 'must be an object',
  array: 'must be a list',
  string: 'must be a text',
};

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

function definitionConflicts(file: unknown): string[] {
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
