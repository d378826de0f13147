import type { z } from 'zod';

/** One line for each schema fault, with its path: `achievements[3].rule.minutes must be …`. */
export function definitionFaults({ issues }: z.ZodError): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `${pathText([...issue.path, key])} is not known`);
    return [`${pathText(issue.path)} ${messageOf(issue)}`];
  });
}

function pathText(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the file';
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union') return 'must be a known kind of rule';
  if (issue.code !== 'invalid_type' || issue.message.startsWith('must')) return issue.message;
  return EXPECTED[issue.expected] ?? issue.message;
}

const EXPECTED: Readonly<Record<string, string>> = {
  object: 'must be an object',
  array: 'must be a list',
  string: 'must be a text',
};
