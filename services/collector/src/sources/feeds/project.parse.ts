import { UnparseablePageError } from '../../network/page-failures.ts';
import type { Template } from '../descriptions/source-description.ts';

/**
 * Applies a template. A member without a value is absent.
 *
 * @throws UnparseablePageError when a list that is named is none
 */
export function project(template: Template, source: unknown): unknown {
  if (typeof template === 'string') return valueAt(template, source);
  if ('value' in template) return template.value;
  const { each, ...members } = template as Readonly<Record<string, Template>>;
  if (each === undefined) return projectMembers(members, source);
  const list = project(each, source);
  if (!Array.isArray(list)) throw new UnparseablePageError(`it has no list at ${JSON.stringify(each)}`);
  return list.map((element: unknown) => projectMembers(members, element));
}

function projectMembers(members: Readonly<Record<string, Template>>, source: unknown): Record<string, unknown> {
  const projected = Object.entries(members).map(([name, template]) => [name, project(template, source)] as const);
  return Object.fromEntries(projected.filter(([, value]) => value !== undefined));
}

function valueAt(pointer: string, source: unknown): unknown {
  let value = source;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
