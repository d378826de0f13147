import { PLAYER_NAME_MAX } from '@lobbystats/contracts';
import type { Node } from './document.parse.ts';
import type { Page } from './page.parse.ts';
import { quote, refuse } from './refusal.ts';
import type { Cell } from './tables.parse.ts';
import { selectorOf, textOf, type Run } from './text.parse.ts';
import { isCut } from './values.ts';

/** Reads all lines of a cell as {@link expectLine} reads one. */
export function expectValue(page: Page, cell: Cell | undefined, name: string): string {
  return expectLine(page, cell === undefined ? [] : page.text.linesOf(cell.element), name);
}

/**
 * The value on the only line; `""` without one.
 *
 * @param name how messages name it
 * @throws UnparseablePageError for several lines, and for several elements that may each be the value
 */
export function expectLine({ text }: Page, lines: readonly (readonly Run[])[], name: string): string {
  const [line, second] = lines;
  if (line === undefined) return '';
  if (second !== undefined) {
    refuse(`a ${name} has several lines, "${textOf(line)}" and "${textOf(second)}"`, `"hidden": ["${markOf(second)}"]`);
  }
  const value = text.valueOf(line);
  if (value?.includes('\uFFFD') === true) refuse(`a ${name} could not be decoded`);
  const mark = markOf(line);
  return (
    value ??
    refuse(
      `a ${name} has several elements, ${quote(line.map((run) => run.text))}`,
      `"hidden": ["${mark}"]`,
      `"keep": ["${mark}"]`,
    )
  );
}

/** The same without a refusal; undefined for several lines or elements. */
export function valueIn({ text }: Page, node: Node): string | undefined {
  const [line = [], second] = text.linesOf(node);
  return second !== undefined ? undefined : line.length === 0 ? '' : text.valueOf(line);
}

/** The same for a player's name, which is refused when the page cuts it. */
export function expectName(page: Page, cell: Cell | undefined, name: string): string {
  const value = expectValue(page, cell, name);
  if (value === '' || value.length > PLAYER_NAME_MAX) refuse(`a ${name} is ${value === '' ? 'empty' : 'too long'}`);
  if (isCut(value)) refuse(`the ${name} "${value}" is cut by the page`);
  return value;
}

/** The element that stands beside a value: one with a class, or else any but a link. */
function markOf(runs: readonly Run[]): string {
  const names = runs.map(({ node }) => selectorOf(node)).filter((name) => !/^t[dh]\b/.test(name));
  return names.find((name) => name.includes('.')) ?? names.find((name) => name !== 'a') ?? 'SELECTOR';
}
