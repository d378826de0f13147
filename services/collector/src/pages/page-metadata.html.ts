import type { PageMetadata } from '../network/network.ts';
import { childElements, nextElement, type Element } from './document.html.ts';
import { shortTextOf, type TextOf } from './page-texts.html.ts';
import type { Page } from './page.html.ts';
import { readReleaseDate } from './text-values.ts';

const LABELS: Record<keyof PageMetadata, RegExp> = {
  title: /^(?:full )?title$|^name$/i,
  publisher: /^publisher$/i,
  releaseDate: /^release ?date$|^released$/i,
};

/** Longer texts are ignored. */
const MAX_TEXT_LENGTH = 1000;

/**
 * Metadata in any markup with label and value: `<li><strong>Title:</strong> …`, `Title: …`, `<dt>` and `<dd>`, two cells
 * of a row. Null when no label is found.
 */
export function readPageMetadata({ $, textOf }: Page): PageMetadata | null {
  const found = new Map<keyof PageMetadata, string>();
  for (const element of $('li, dt, tr, p').toArray()) {
    const [label, value] = pairOf(element, textOf);
    const field = fieldOf(label);
    if (field !== undefined && !found.has(field)) found.set(field, value);
  }
  if (found.size === 0) return null;
  return {
    title: found.get('title') ?? '',
    publisher: found.get('publisher') ?? '',
    releaseDate: readReleaseDate(found.get('releaseDate') ?? ''),
  };
}

function fieldOf(label: string): keyof PageMetadata | undefined {
  const fields = Object.keys(LABELS) as (keyof PageMetadata)[];
  return fields.find((field) => LABELS[field].test(label));
}

function pairOf(element: Element, textOf: TextOf): [label: string, value: string] {
  const [first, second] = childElements(element);
  if (element.name === 'tr')
    return first?.name === 'th' && second?.name === 'td' ? [labelText(first, textOf), textOf(second)] : ['', ''];
  if (element.name === 'dt') return [labelText(element, textOf), definitionOf(element, textOf)];
  const text = shortTextOf(element, MAX_TEXT_LENGTH, textOf) ?? '';
  const label = labelText(first, textOf);
  if (fieldOf(label) !== undefined && text.startsWith(label)) return [label, withoutColon(text.slice(label.length))];
  const colon = text.indexOf(':');
  return colon === -1 ? ['', ''] : [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

function labelText(element: Element | undefined, textOf: TextOf): string {
  return element === undefined ? '' : (shortTextOf(element, MAX_TEXT_LENGTH, textOf) ?? '').replace(/\s*:$/, '');
}

function withoutColon(text: string): string {
  return text.replace(/^\s*:\s*/, '').trim();
}

function definitionOf(term: Element, textOf: TextOf): string {
  const next = nextElement(term);
  return next?.name === 'dd' ? (shortTextOf(next, MAX_TEXT_LENGTH, textOf) ?? '') : '';
}
