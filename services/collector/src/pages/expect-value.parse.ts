import { PLAYER_NAME_MAX } from '@lobbystats/contracts';
import type { Page } from './page.parse.ts';
import { quote, refuse } from './refusal.ts';
import type { Cell } from './tables.parse.ts';
import { selectorOf, textOf, type Run } from './text.parse.ts';

/**
 * The value on the only line of a cell; `""` for an empty one.
 *
 * @param name how messages name it
 * @throws UnparseablePageError for several lines, and for several elements that may each be the value
 */
export function expectValue({ text }: Page, lines: readonly (readonly Run[])[] | undefined, name: string): string {
  const [line, second] = lines ?? [];
  if (line === undefined) return '';
  if (second !== undefined) {
    refuse(`a ${name} has several lines, "${textOf(line)}" and "${textOf(second)}"`, ignoring(second));
  }
  const value = text.valueOf(line);
  if (value?.includes('\uFFFD') === true) refuse(`a ${name} could not be decoded`);
  return (
    value ??
    refuse(
      `a ${name} has several elements, ${quote(line.map((run) => run.text))}`,
      ignoring(line),
      `"keep": ["${markOf(line)}"]`,
    )
  );
}

/** The same for a player's name, which a page may cut. */
export function expectName(page: Page, cell: Cell | undefined, name: string): string {
  const value = expectValue(page, cell && page.text.linesOf(cell.element), name);
  if (value === '' || value.length > PLAYER_NAME_MAX) refuse(`a ${name} is ${value === '' ? 'empty' : 'too long'}`);
  if (/(?:…|\.\.\.)$/.test(value)) refuse(`the ${name} "${value}" is cut by the page`);
  return value;
}

/** A number beside another one is hidden, lest its digits be taken for those of the other. */
function ignoring(runs: readonly Run[]): string {
  const mark = markOf(runs);
  const hasDigits = runs.some(({ node, text }) => selectorOf(node) === mark && /\p{N}/u.test(text));
  return `"${hasDigits ? 'hidden' : 'ignore'}": ["${mark}"]`;
}

/** The element that stands beside a value: one with a class, or else any but a link. */
function markOf(runs: readonly Run[]): string {
  const names = runs.map(({ node }) => selectorOf(node));
  return (
    names.find((name) => name.includes('.')) ??
    names.find((name) => name !== 'a' && !/^t[dh]$/.test(name)) ??
    'SELECTOR'
  );
}
