import { listOf, type Texts } from '../descriptions/source-description.ts';
import { isElement, type Node } from './document.parse.ts';
import { valueIn } from './expect-value.parse.ts';
import type { Page } from './page.parse.ts';
import { isOneOf, matchFormat, normalize, readCount } from './values.ts';

/** A label with what stands beside it; the value is undefined when that can't be told. */
interface Labelled {
  value: string | undefined;
  isBefore: boolean;
  /** Tells whether labels and values are all that their element has. */
  isWhole: boolean;
  /** The run of the label. */
  index: number;
}

/** The number of a label, or of a sentence with `{n}`; two of them that differ are unreadable. */
export function readCounter(page: Page, labels: Texts | null | undefined): 'absent' | 'unreadable' | number {
  const sentences = listOf(labels).filter((label) => label.includes('{n}'));
  const told = (sentences.length === 0 ? [] : page.text.lines).flatMap(
    (line) => matchFormat(normalize(line), sentences.map(normalize))?.['n'] ?? [],
  );
  const found = [...told, ...findLabelled(page, labels).map(({ value = '' }) => value)];
  const [number, ...others] = new Set(found.map(readCount).filter((each) => each !== undefined));
  if (found.length === 0) return 'absent';
  return number === undefined || others.length > 0 ? 'unreadable' : number;
}

/** The sign between a label and the value beside it, where it stands in neither of their elements. */
const SEPARATOR = /^(?:[:：]|[-–—=|](?=\s))\s*/;

/** The values in the texts of labels, and beside texts that are nothing but a label. */
export function findLabelled(page: Page, labels: Texts | null | undefined): Labelled[] {
  return page.text.runs.flatMap(({ text, node }, index) => {
    if (isOneOf(text, labels)) {
      const isSeparated = /[:：]$/.test(text);
      return valuesBeside(page, node).map(({ value, ...found }) => ({
        ...found,
        value: isSeparated ? value : value?.replace(SEPARATOR, ''),
        index,
      }));
    }
    const [, label = '', value] = /^([^:：]{1,100})[:：]\s*(.+)$/.exec(text) ?? [];
    if (isOneOf(label, labels)) return [{ value, isBefore: false, isWhole: true, index }];
    const [, number, rest = ''] = /^([\d.,'’\s]*\d)\s+(\D.*)$/.exec(text) ?? [];
    return isOneOf(rest, labels) ? [{ value: number, isBefore: true, isWhole: true, index }] : [];
  });
}

type Side = 'prev' | 'next';

/** In the innermost element with more than the label. Several labels and values there are of two kinds of elements that alternate. */
function valuesBeside(page: Page, label: Node): Omit<Labelled, 'index'>[] {
  const { text } = page;
  let own = label;
  while (siblingOf(own, 'prev') === undefined && siblingOf(own, 'next') === undefined && own.parent !== null) {
    own = own.parent;
  }
  const kinds = new Set((['prev', 'next'] as const).flatMap((side) => siblingOf(own, side) ?? []).map(kindOf));
  return [...kinds].map((kind) => {
    const [before, after] = [partsOf('prev', kind), partsOf('next', kind)];
    const count = before.length + 1 + after.length;
    const [first, last] = [before.at(-1) ?? own, after.at(-1) ?? own];
    const isWhole = siblingOf(first, 'prev') === undefined && siblingOf(last, 'next') === undefined;
    const isPaired = kind === kindOf(own) ? isWhole && count === 2 : count % 2 === 0;
    const isBefore = before.length % 2 === 1;
    const element = isBefore ? before[0] : after[0];
    const isTold = isPaired && isEdge(first, 'prev') && isEdge(last, 'next');
    // Cells of headings name columns.
    return {
      value: isTold && element !== undefined && kind !== 'th' ? valueIn(page, element) : undefined,
      isBefore,
      isWhole,
    };
  });

  function partsOf(side: Side, kind: string): Node[] {
    const parts: Node[] = [];
    for (let next = siblingOf(own, side); next !== undefined; next = siblingOf(next, side)) {
      if (kindOf(next) !== (parts.length % 2 === 0 ? kind : kindOf(own))) break;
      parts.push(next);
    }
    return parts;
  }

  /** More on the same line may belong to a value. */
  function isEdge(part: Node, side: Side): boolean {
    const line = side === 'next' ? siblingOf(part, side) : part;
    return siblingOf(part, side) === undefined || text.runs[text.spanOf(line ?? part)?.start ?? 0]?.before === '\n';
  }

  /** The nearest sibling with a text. */
  function siblingOf(node: Node, side: Side): Node | undefined {
    let sibling = node[side];
    while (sibling !== null && text.linesOf(sibling).length === 0) sibling = sibling[side];
    return sibling ?? undefined;
  }
}

function kindOf(node: Node): string {
  return isElement(node) ? node.name : '';
}
