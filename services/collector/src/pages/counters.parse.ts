import { isElement, type Element, type Node } from './document.parse.ts';
import type { Page } from './page.parse.ts';
import { listOf, type Texts } from '../network/source-description.ts';
import type { Run } from './text.parse.ts';
import { isOneOf, matchFormat, normalize, readCount } from './values.ts';

export type Counter = 'absent' | 'unreadable' | number;

/** A larger element is no list of counters. */
const MAX_PARTS = 100;

/** The number of a label, or of a sentence with `{n}`; two of them that differ are unreadable. */
export function readCounter(page: Page, labels: Texts | null | undefined): Counter {
  const words = listOf(labels).map(normalize);
  const sentences = words.filter((word) => word.includes('{n}'));
  const told = (sentences.length === 0 ? [] : page.text.lines).flatMap(
    (line) => matchFormat(normalize(line), sentences)?.['n'] ?? [],
  );
  const near = page.text.runs.filter(isNear);
  const runs = Map.groupBy(near.length === 0 ? [] : page.text.runs, ({ node }): Node => node);
  const found = [...told.map(readCount), ...near.flatMap(ofLabel)];
  const numbers = new Set(found.filter((number) => number !== undefined));
  if (found.length === 0) return 'absent';
  const [number] = numbers;
  return number === undefined || numbers.size > 1 ? 'unreadable' : number;

  function isNear({ text }: Run): boolean {
    return text.length <= 200 && words.some((word) => normalize(text).includes(word));
  }

  function ofLabel(run: Run): (number | undefined)[] {
    const { text } = run;
    if (isOneOf(text, labels)) return [numberBeside(page, run, runs)];
    const [, before = '', label = '', after = ''] = /^([\d.,'’\s]*)(.*?)[\s:：]*?([\d.,'’\s]*)$/u.exec(text) ?? [];
    if (!isOneOf(label, labels)) return [];
    return [before === '' ? readCount(after) : after === '' ? readCount(before) : undefined];
  }
}

/**
 * The number in the same element as the label. An element with several has labels and numbers that alternate: the first tells whether numbers
 * stand before or after their labels.
 */
function numberBeside({ text }: Page, label: Run, runs: ReadonlyMap<Node, readonly Run[]>): number | undefined {
  let part: Node = label.node;
  for (let container = part.parent; container !== null; part = container, container = container.parent) {
    if (!isElement(container)) return undefined;
    const span = text.spanOf(container);
    if (span === undefined || span.end - span.start < 2) continue;
    if (container.children.length > MAX_PARTS) return undefined;
    const parts = partsAround(container, part);
    const [first] = parts;
    if (first === undefined || parts.length % 2 === 1) return undefined;
    const isNumberFirst = isValue(first);
    if (parts.some((each, index) => isValue(each) !== (index % 2 === 0 ? isNumberFirst : !isNumberFirst)))
      return undefined;
    const at = parts.indexOf(label);
    return readCount(parts[isNumberFirst ? at - 1 : at + 1]?.text ?? '');
  }
  return undefined;

  /** The run of each child around the label's that has one alone. */
  function partsAround(container: Element, own: Node): Run[] {
    const children = container.children.filter((child) => runsOf(child).length > 0);
    const at = children.indexOf(own);
    const isPart = (child: Node) => runsOf(child).length === 1 && !isTitle(child);
    const start = children.slice(0, at).findLastIndex((child) => !isPart(child)) + 1;
    const end = children.findIndex((child, index) => index > at && !isPart(child));
    return children.slice(start, end === -1 ? undefined : end).flatMap(runsOf);
  }

  function runsOf(node: Node): readonly Run[] {
    if (!isElement(node)) return runs.get(node) ?? [];
    const span = text.spanOf(node);
    return span === undefined ? [] : text.runs.slice(span.start, Math.min(span.end, span.start + 2));
  }

  function isTitle(node: Node): boolean {
    return isElement(node) && /^h[1-6]$/.test(node.name) && runsOf(node).every((run) => !isValue(run) && run !== label);
  }
}

/** A number, or what stands in its place. */
function isValue({ text }: Run): boolean {
  return !/\p{L}{2}/u.test(text) || /^(?:n\/?a|tba)$/i.test(normalize(text));
}
