import { isElement } from './document.parse.ts';
import type { Page } from './page.parse.ts';
import { listOf, type Texts } from '../network/source-description.ts';
import type { Run } from './text.parse.ts';
import { isOneOf, matchFormat, normalize, readCount } from './values.ts';

export type Counter = 'absent' | 'unreadable' | number;

/** The number of a label, or of a sentence with `{n}`; two of them that differ are unreadable. */
export function readCounter(page: Page, labels: Texts | null | undefined): Counter {
  const words = listOf(labels).map(normalize);
  const sentences = words.filter((word) => word.includes('{n}'));
  const told = (sentences.length === 0 ? [] : page.text.lines).flatMap(
    (line) => matchFormat(normalize(line), sentences)?.['n'] ?? [],
  );
  const found = [...told.map(readCount), ...page.text.runs.flatMap(ofLabel)];
  const numbers = new Set(found.filter((number) => number !== undefined));
  if (found.length === 0) return 'absent';
  const [number] = numbers;
  return number === undefined || numbers.size > 1 ? 'unreadable' : number;

  function ofLabel({ text }: Run, index: number): (number | undefined)[] {
    if (text.length > 200 || !words.some((word) => normalize(text).includes(word))) return [];
    if (isOneOf(text, labels)) return [numberBeside(page, index)];
    const [, before = '', label = '', after = ''] = /^([\d.,'’\s]*)(.*?)[\s:：]*?([\d.,'’\s]*)$/u.exec(text) ?? [];
    if (label === text || !isOneOf(label, labels)) return [];
    return [before === '' ? readCount(after) : after === '' ? readCount(before) : undefined];
  }
}

/** A longer list of labels and numbers is none of counters. */
const MAX_PARTS = 20;
/** Elements between a text and its cell, such as a link that sorts, and the cell. */
const CELL_LEVELS = 4;

/**
 * The number in the same element as the label. An element with several has labels and numbers that alternate: the first tells whether numbers
 * stand before or after their labels.
 */
function numberBeside({ text }: Page, label: number): number | undefined {
  const { runs } = text;
  let container = runs[label]?.node.parent;
  while (container && isElement(container) && sizeOf(text.spanOf(container)) < 2) container = container.parent;
  const span = container && isElement(container) ? text.spanOf(container) : undefined;
  if (span === undefined) return undefined;
  let [start, end] = [label, label + 1];
  while (start > span.start && label - start < MAX_PARTS && isPair(start - 1)) start -= 1;
  while (end < span.end && end - label < MAX_PARTS && isPair(end - 1)) end += 1;
  // Two numbers without a label between them may be parts of one.
  const isDoubtful = (start > span.start && areNumbers(start - 1)) || (end < span.end && areNumbers(end - 1));
  if (isDoubtful || (end - start) % 2 === 1) return undefined;
  return readCount(runs[isNumber(start) ? label - 1 : label + 1]?.text ?? '');

  function isNumber(index: number): boolean {
    const shown = runs[index]?.text ?? '';
    return !/\p{L}{2}/u.test(shown) || /^(?:n\/?a|tba)$/i.test(normalize(shown));
  }

  function areNumbers(index: number): boolean {
    return isNumber(index) && isNumber(index + 1);
  }

  /** A label and a number, in any order; a heading is about what follows it, and a cell of a table about its table. */
  function isPair(index: number): boolean {
    const isTitle = (at: number) => {
      const { parent = null } = runs[at]?.node ?? {};
      return at !== label && !isNumber(at) && parent !== null && isElement(parent) && /^h[1-6]$/.test(parent.name);
    };
    const isAlternating = isNumber(index) !== isNumber(index + 1) && isInCell(index) === isInCell(index + 1);
    return isAlternating && !isTitle(index) && !isTitle(index + 1);
  }

  function isInCell(index: number): boolean {
    let node = runs[index]?.node.parent ?? null;
    for (let level = 0; level < CELL_LEVELS && node !== null; level += 1) {
      if (isElement(node) && /^t[dh]$/.test(node.name)) return true;
      node = node.parent;
    }
    return false;
  }
}

function sizeOf(span: { start: number; end: number } | undefined): number {
  return span === undefined ? 0 : span.end - span.start;
}
