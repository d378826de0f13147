import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { messageOf, StartupError } from '@lobbystats/errors';
import type { AchievementGroup, Definition, Definitions } from './definitions.ts';
import { definitionConflicts } from './definition-conflicts.file.ts';
import { definitionFaults } from './definition-faults.file.ts';
import { definitionsFile, type DefinitionsFile } from './definitions-schema.file.ts';

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
