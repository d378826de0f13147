import type { SourcesFile } from '../sources/descriptions/source-description.ts';
import { isObject, merge, union } from '../sources/descriptions/built-in.ts';

/** A description that a person confirms, and what could not be decided. */
export interface Proposal {
  file: SourcesFile;
  decisions: string[];
}

/** Members of the other description replace those of the first one; objects are merged, and lists joined. */
export function mergeDescriptions(one: SourcesFile, other: SourcesFile): SourcesFile {
  return merge(one, other, (own, each) => ([own, each].some(Array.isArray) ? union(own, each) : each)) as SourcesFile;
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
