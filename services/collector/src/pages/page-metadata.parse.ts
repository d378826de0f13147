import type { PageMetadata } from '../network/network.ts';
import { childElements, isElement, nextElement, parentElement, type Element } from './document.parse.ts';
import { readReleaseDate } from './text-values.ts';
import { matchTableOf } from './match-table.parse.ts';
import type { Page } from './page.parse.ts';
import type { VisibleText } from './visible-text.parse.ts';

const LABELS: Record<keyof PageMetadata, RegExp> = {
  title: /^(?:full )?title$|^name$/i,
  publisher: /^publisher$/i,
  releaseDate: /^release ?date$|^released(?: on)?$/i,
};

/** Longer texts are ignored. */
const MAX_TEXT_LENGTH = 1000;

type Pair = [label: string, value: string];

/**
 * Metadata in any markup with label and value: `<li><strong>Title:</strong> …`, `Title: …`, `<dt>` and `<dd>`, two cells
 * of a row, two elements side by side. Null when no label is found.
 */
export function readPageMetadata(page: Page): PageMetadata | null {
  const { $, text } = page;
  const matches = matchTableOf(page);
  const found = new Map<keyof PageMetadata, string>();
  for (const element of $('li, dt, tr, p, div').toArray()) {
    if (!text.isVisible(element) || isWithin(element, matches)) continue;
    const [label, value] = pairOf(element, text);
    const field = fieldOf(label);
    if (field !== undefined && !found.has(field) && !value.includes('\uFFFD')) found.set(field, value);
  }
  if (found.size === 0) return null;
  return {
    title: found.get('title') ?? '',
    publisher: found.get('publisher') ?? '',
    releaseDate: readReleaseDate(found.get('releaseDate') ?? ''),
  };
}

const MAX_LEVELS = 12;

/** A match may be hosted by a player named "Publisher". */
function isWithin(element: Element, table: Element | undefined): boolean {
  if (table === undefined) return false;
  let around: Element | undefined = element;
  for (let level = 0; around !== undefined && level < MAX_LEVELS; level += 1) {
    if (around === table) return true;
    around = parentElement(around);
  }
  return false;
}

function fieldOf(label: string): keyof PageMetadata | undefined {
  const fields = Object.keys(LABELS) as (keyof PageMetadata)[];
  return fields.find((field) => LABELS[field].test(label));
}

function pairOf(element: Element, text: VisibleText): Pair {
  if (element.name === 'tr') {
    const cells = childElements(element).filter((cell) => text.isVisible(cell));
    const [first, second] = cells;
    return first !== undefined && second?.name === 'td' && cells.length === 2
      ? [labelOf(text.textOf(first)), text.textOf(second)]
      : ['', ''];
  }
  if (element.name === 'dt') return [labelOf(text.textOf(element)), definitionOf(element, text)];
  const lines = text.linesOf(element);
  const [line = '', below = ''] = lines;
  if (lines.length === 2 && fieldOf(labelOf(line)) !== undefined) return [labelOf(line), below];
  if (lines.length !== 1 || line.length > MAX_TEXT_LENGTH) return ['', ''];
  const first = childElements(element).find((child) => text.isVisible(child) && text.textOf(child) !== '');
  const label = first === undefined ? '' : text.textOf(first);
  const isFirst = first !== undefined && line.startsWith(label) && !startsWithText(element, first);
  if (isFirst && fieldOf(labelOf(label)) !== undefined && line !== label) {
    return [
      labelOf(label),
      line
        .slice(label.length)
        .replace(/^\s*:\s*/, '')
        .trim(),
    ];
  }
  const colon = line.indexOf(':');
  return colon === -1 ? ['', ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function startsWithText(element: Element, first: Element): boolean {
  for (const node of element.children) {
    if (node === first) return false;
    if (!isElement(node) && 'data' in node && node.nodeType === 3 && node.data.trim() !== '') return true;
  }
  return false;
}

function labelOf(text: string): string {
  return text.replace(/\s*:$/, '');
}

function definitionOf(term: Element, text: VisibleText): string {
  const next = nextElement(term);
  return next?.name === 'dd' && text.isVisible(next) ? text.textOf(next) : '';
}
