import { listOf, type SourcesFile } from '../network/source-description.ts';
import { isObject, merge } from '../pages/built-in.ts';

/** A description that a person confirms, and what could not be decided. */
export interface Proposal {
  file: SourcesFile;
  decisions: string[];
}

/** Members of the other description replace those of the first one; objects are merged, and selectors added. */
export function mergeDescriptions(one: SourcesFile, other: SourcesFile): SourcesFile {
  const added = (['hidden', 'keep'] as const).flatMap((name) => {
    const selectors = [...new Set([...listOf(one[name]), ...listOf(other[name])])];
    return selectors.length === 0 ? [] : [[name, selectors]];
  });
  return { ...(merge(one, other) as SourcesFile), ...(Object.fromEntries(added) as SourcesFile) };
}

const MAX_WIDTH = 110;

/** JSON in few lines: what fits into one stands in one. */
export function formatDescription(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
  if (!isObject(value) || (indent !== '' && indent.length + flat.length <= MAX_WIDTH)) return flat;
  const inner = `${indent}  `;
  const members = Object.entries(value).map(([name, each]) => `${inner}"${name}": ${formatDescription(each, inner)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}

/** Lines about a page, at most. */
export const MAX_SHOWN = 60;
const SHOWN_WIDTH = 30;

/** A text of a page in a terminal: short, and without characters that control it. */
export function shorten(text: string): string {
  const shown = text.replace(/\p{C}/gu, '');
  return shown.length > SHOWN_WIDTH ? `${shown.slice(0, SHOWN_WIDTH - 1)}…` : shown;
}
