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
  const elements = line.flatMap((run) => [run, ...(run.beside === undefined ? [] : [run.beside])]);
  if (value?.includes('\uFFFD') === true) refuse(`a ${name} could not be decoded`);
  return (
    value ??
    refuse(
      `a ${name} has several elements, ${quote(elements.map((run) => run.text))}`,
      ignoring(elements),
      `"keep": ["${markOf(elements)}"]`,
    )
  );
}

/** The same for a player's name, which is refused when the page cuts it. */
export function expectName(page: Page, cell: Cell | undefined, name: string): string {
  const value = expectValue(page, cell && page.text.linesOf(cell.element), name);
  if (value === '' || value.length > PLAYER_NAME_MAX) refuse(`a ${name} is ${value === '' ? 'empty' : 'too long'}`);
  if (page.text.isCut(value)) refuse(`the ${name} "${value}" is cut by the page`, '"cut": "…"');
  return value;
}

/** What touches a value, or has digits, is hidden: ignored, it would leave the value in doubt. */
function ignoring(runs: readonly Run[]): string {
  const mark = markOf(runs);
  const isDoubtful = runs.some(
    ({ node, text, before }, index) =>
      selectorOf(node) === mark &&
      (/\p{N}/u.test(text) || (index > 0 && before === '') || runs[index + 1]?.before === ''),
  );
  return `"${isDoubtful ? 'hidden' : 'ignore'}": ["${mark}"]`;
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
