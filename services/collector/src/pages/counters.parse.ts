import { commonAncestor, isElement, pathTo, type Node } from './document.parse.ts';
import { readCount } from './text-values.ts';
import type { Page } from './page.parse.ts';
import type { PageLine } from './text-flow.parse.ts';

export type Counter = 'absent' | 'unreadable' | number;

/**
 * The number that belongs to a label: on the label's line, or on the line before or after it. Two counters with one label
 * that contradict each other are unreadable.
 */
export function readCounter({ text: { lines } }: Page, label: string): Counter {
  const word = label.toLowerCase();
  const found = new Set<number | undefined>();
  for (const [index, line] of lines.entries()) {
    const text = line.text.toLowerCase();
    if (!text.includes(word)) continue;
    const own = numberOnLine(line, word);
    if (own !== undefined) found.add(own);
    else if (withoutColon(line.plain.toLowerCase()) === word) {
      found.add(line.numbers === undefined ? undefined : numberBeside(lines, index));
    }
  }
  if (found.size === 0) return 'absent';
  found.delete(undefined);
  const [number] = found;
  return number === undefined || found.size > 1 ? 'unreadable' : number;
}

function withoutColon(text: string): string {
  return text.replace(/\s*[:：]$/, '');
}

function numberOnLine({ text, hasWholeNumbers }: PageLine, word: string): number | undefined {
  if (!hasWholeNumbers) return undefined;
  const line = text.toLowerCase();
  if (line.startsWith(word))
    return readCount(
      line
        .slice(word.length)
        .replace(/^\s*[:：]/, '')
        .trim(),
    );
  return line.endsWith(word) ? readCount(line.slice(0, -word.length).trim()) : undefined;
}

/**
 * The number that shares an inner element with the label alone; in a flat list, the one on the side where its numbers
 * are. A number that is closer to another line is that line's.
 */
function numberBeside(lines: readonly PageLine[], index: number): number | undefined {
  for (const step of [-1, 1]) {
    const number = countOf(lines[index + step]);
    if (number === undefined) continue;
    const depth = sharedDepth(lines, index, index + step);
    const others = Math.max(
      sharedDepth(lines, index + step, index + 2 * step),
      sharedDepth(lines, index, index - step),
    );
    if (depth > others || (depth === others && sideInList(lines, index, depth) === step)) return number;
  }
  return undefined;
}

/** Depth of the innermost element around two neighbouring lines. */
function sharedDepth(lines: readonly PageLine[], one: number, other: number): number {
  const [first, second] = [lines[Math.min(one, other)], lines[Math.max(one, other)]];
  return first === undefined || second === undefined ? -1 : commonAncestor(first.last, second.first).depth;
}

/** Lines of a list that are compared with the label's. */
const MAX_LIST = 40;

/**
 * On which side of the labels the numbers are, before (-1) or after (1), in a list of labels and numbers that alternate: the list begins with one
 * kind and ends with the other. A definition follows its term.
 */
function sideInList(lines: readonly PageLine[], index: number, depth: number): -1 | 1 | undefined {
  const label = lines[index];
  if (label === undefined) return undefined;
  const path = pathTo(label.first);
  const list = path[depth];
  const kind = kindOf(path[depth + 1]);
  if (/^dt\b/.test(kind)) return 1;
  const [first, last] = [endOf(-1), endOf(1)];
  if (first === undefined || last === undefined || isLabelAt(first) === isLabelAt(last)) return undefined;
  return isLabelAt(first) ? 1 : -1;

  function isLabelAt(at: number): boolean {
    return (at - index) % 2 === 0;
  }

  /** The last line in a direction that alternates; undefined when two numbers follow each other. */
  function endOf(step: -1 | 1): number | undefined {
    let end = index;
    for (; Math.abs(end - index) < MAX_LIST; end += step) {
      const line = lines[end + step];
      const linePath = line === undefined ? [] : pathTo(line.first);
      if (line === undefined || linePath[depth] !== list) return end;
      if (!isLabelAt(end) && isValue(line)) return undefined;
      if (isLabelAt(end) ? !isValue(line) : kindOf(linePath[depth + 1]) !== kind) return end;
    }
    return end;
  }
}

/** Labels of a list have one tag and one class; a description below a number has another. */
function kindOf(node: Node | undefined): string {
  return node !== undefined && isElement(node) ? `${node.name} ${node.attribs['class'] ?? ''}`.trim() : '';
}

function countOf(line: PageLine | undefined): number | undefined {
  return readCount(line?.numbers ?? '');
}

/** A number, or what stands in its place. */
function isValue({ plain }: PageLine): boolean {
  return !/\p{L}{2}/u.test(plain) || /^(?:n\/?a|tba)$/i.test(plain);
}
