import { dataOf, isElement, walk, type Element, type Node } from './document.parse.ts';
import { effectsOf } from './class-rules.ts';
import { oneLine } from './text-flow.parse.ts';
import type { VisibleText } from './visible-text.parse.ts';

export interface Name {
  name: string;
  /** The text below the name, or grey text beside it; `""` without one. */
  below: string;
}

/** Elements that format a part of a name. */
const FORMATTING = new Set(
  'abbr acronym b bdi bdo big cite code dfn em font i ins kbd mark nobr q rb ruby samp strong sub sup tt u var'.split(
    ' ',
  ),
);
const FORMATTING_CLASS =
  /^(?:|(?:not-)?italic|underline|bold|highlight|hl|font-.*|fw-.*|fst-.*|text-(?:white|black|primary|dark|light|body|(?:x?s|base|[x23]?l)g?))$/;
/** A word before a name that says what it is. */
const LABEL = /^(?:hosted by|(?:host|player|gamertag|name|game|title|user)\s*:)$/i;

/**
 * The name in a cell: its first line, or the line that is the cell's only link. Undefined when several lines, or several
 * elements on the line, may each be the name: it would be cut, or something else be added to it.
 *
 * @param linesBelow how many lines of the same kind may stand below the name; small and grey lines always may
 */
export function readName(element: Element, text: VisibleText, linesBelow = 0): Name | undefined {
  const lines = text.linesOf(element);
  if (lines.some((line) => line.includes('\uFFFD'))) return undefined;
  const link = onlyLinkOf(element, text);
  const linked = link === undefined ? -1 : lines.indexOf(text.textOf(link));
  if (linked > 0) return { name: lines[linked] ?? '', below: lines[linked + 1] ?? '' };
  const secondary = secondaryLines(element, text);
  const primary = lines.filter((line) => !secondary.has(line));
  const isFirst = primary[0] === lines[0] || (linesBelow === 0 && lines.length === 1);
  // A line of badges alone above the name may be the name.
  const isBelowBadge = !(text.fullLinesOf(element)[0] ?? '').includes(lines[0] ?? '');
  const isOwnLine = linked === 0 || (isFirst && !isBelowBadge && primary.length <= 1 + linesBelow);
  if (!isOwnLine) return undefined;
  const first = nameOnFirstLine(element, text);
  return first && { name: first.name, below: first.beside === '' ? (lines[1] ?? '') : first.beside };
}

/** Lines in small or grey type, which are of less importance than the name. */
function secondaryLines(element: Element, text: VisibleText): ReadonlySet<string> {
  const lines = new Set<string>();
  walk(element, {
    enter(node) {
      if (node === element || !isElement(node)) return true;
      if (node.name !== 'small' && !isSecondary(node)) return true;
      for (const line of text.linesOf(node)) lines.add(line);
      return false;
    },
  });
  return lines;
}

/** The only link with a text, if links of the element have one text. */
function onlyLinkOf(element: Element, text: VisibleText): Element | undefined {
  const links = new Map<string, Element>();
  walk(element, {
    enter(node) {
      if (!isElement(node) || links.size > 1) return false;
      if (node.name !== 'a' || !text.isVisible(node) || text.isBadge(node)) return true;
      const words = text.textOf(node);
      if (words !== '' && !links.has(words)) links.set(words, node);
      return false;
    },
  });
  return links.size === 1 ? [...links.values()][0] : undefined;
}

interface Part {
  node: Node;
  words: string;
  /** Whether white space separates it from the part before. */
  isApart: boolean;
  /** Whether it is a box of its own, beside the others. */
  isBox: boolean;
}

function nameOnFirstLine(element: Element, text: VisibleText): { name: string; beside: string } | undefined {
  let container = element;
  for (;;) {
    const parts = partsOfFirstLine(container, text);
    const [only] = parts;
    if (only === undefined) return onlyBadge(container, text);
    if (parts.length > 1) return joinParts(parts, text.linesOf(container)[0] ?? '');
    if (!isElement(only.node)) return { name: text.linesOf(container)[0] ?? '', beside: '' };
    container = only.node;
  }
}

/** A name that is all in a badge; undefined when several badges may be it. */
function onlyBadge(container: Element, text: VisibleText): { name: string; beside: string } | undefined {
  const filled = container.children.filter(
    (node) => isElement(node) && text.isVisible(node) && text.textOf(node) !== '',
  );
  return filled.length > 1 ? undefined : { name: text.linesOf(container)[0] ?? '', beside: '' };
}

/** The children with text of the first line; a block alone is a line. */
function partsOfFirstLine(container: Element, text: VisibleText): Part[] {
  const parts: Part[] = [];
  let isApart = true;
  const firstLine = text.linesOf(container)[0] ?? '';
  const areBoxes = effectsOf(container.attribs['class']).children !== undefined;
  let remaining = firstLine.replace(/\s/g, '');
  for (const node of container.children) {
    if (remaining === '') break;
    const words = isElement(node) ? visibleWords(node, text) : (dataOf(node) ?? '');
    const solid = words.replace(/[\s\u00AD\u200B\u2060\uFEFF\uE000-\uF8FF]/g, '');
    if (solid === '') {
      if (/\s/.test(words) || (isElement(node) && node.name === 'br')) isApart = true;
      continue;
    }
    // The rest of an element with several lines stands below.
    if (!remaining.startsWith(solid) && !solid.startsWith(remaining)) break;
    const isSpaced = areBoxes || (isElement(node) && effectsOf(node.attribs['class']).isSpaced);
    parts.push({ node, words, isApart: isApart || isSpaced || /^\s/.test(words), isBox: areBoxes });
    isApart = isSpaced || /\s$/.test(words);
    remaining = remaining.slice(solid.length);
  }
  return parts;
}

function visibleWords(element: Element, text: VisibleText): string {
  return text.isVisible(element) && !text.isBadge(element) ? text.linesOf(element).join(' ') : '';
}

function joinParts(parts: readonly Part[], line: string): { name: string; beside: string } | undefined {
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  if (others.length > 0 && LABEL.test(oneLine(first.words))) {
    return joinParts(others, line.slice(oneLine(first.words).length).trim());
  }
  const last = others.at(-1);
  if (last === undefined) return { name: line, beside: '' };
  if (isSecondary(last.node)) {
    // Grey text that touches the name may be the end of it.
    if (!last.isApart) return undefined;
    const beside = oneLine(last.words);
    if (!line.endsWith(beside)) return undefined;
    const rest = joinParts(parts.slice(0, -1), line.slice(0, -beside.length).trim());
    return rest && { name: rest.name, beside };
  }
  if (last.isBox) return undefined;
  const isFirstPart = isPartOfName(first.node, parts) || parts[1]?.isApart === false;
  const isLastPart = isPartOfName(last.node, parts) || !last.isApart;
  return isFirstPart && isLastPart ? { name: line, beside: '' } : undefined;
}

function isSecondary(node: Node): boolean {
  return isElement(node) && effectsOf(node.attribs['class']).isSecondary;
}

/** Text, formatting, or the only link that touches text. */
function isPartOfName(node: Node, parts: readonly Part[]): boolean {
  if (!isElement(node)) return true;
  const isFormat = (node.attribs['class'] ?? '').split(/\s+/).every((name) => FORMATTING_CLASS.test(name));
  if (FORMATTING.has(node.name)) return isFormat;
  if (node.name === 'a') {
    return parts.every(
      ({ node: other, isApart }, at) => (other === node || !isElement(other)) && (at === 0 || !isApart),
    );
  }
  return node.name === 'span' && isFormat && parts.some(({ node: other }) => !isElement(other));
}
