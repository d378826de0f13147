import { parentElement, previousElement, type Element } from './document.html.ts';
import { readCount } from './text-values.ts';
import { shortTextOf, visibleElements, type TextOf } from './page-texts.html.ts';
import type { Page } from './page.html.ts';

export type Counter = 'absent' | 'unreadable' | number;

const MAX_COUNTER_LENGTH = 80;
/** How many levels above its label a counter's number may stand. */
const MAX_LEVELS = 3;

/**
 * The number next to the element whose text is the label. Two counters with one label that contradict each other are
 * unreadable.
 */
export function readCounter({ $, textOf }: Page, label: string): Counter {
  const found = new Set<number | undefined>();
  const body = $('body').get(0);
  if (body === undefined) return 'absent';
  for (const element of visibleElements(body)) {
    if (isLabel(element, label, textOf)) found.add(numberBeside(element, label, textOf));
  }
  if (found.size === 0) return 'absent';
  found.delete(undefined);
  const [number] = found;
  return number === undefined || found.size > 1 ? 'unreadable' : number;
}

function isLabel(element: Element, label: string, textOf: TextOf): boolean {
  return shortTextOf(element, MAX_COUNTER_LENGTH, textOf)?.toLowerCase() === label.toLowerCase();
}

function numberBeside(label: Element, text: string, textOf: TextOf): number | undefined {
  let element = label;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const before = previousElement(element);
    const number = before === undefined ? undefined : readCount(shortTextOf(before, MAX_COUNTER_LENGTH, textOf) ?? '');
    if (number !== undefined) return number;
    const parent = parentElement(element);
    if (parent === undefined) return undefined;
    const around = shortTextOf(parent, MAX_COUNTER_LENGTH, textOf);
    if (around === undefined) return undefined;
    const rest = around.toLowerCase().replace(text.toLowerCase(), '').trim();
    if (rest !== '') return readCount(rest);
    element = parent;
  }
  return undefined;
}
