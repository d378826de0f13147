import { dataOf, isElement, HIDDEN, INLINE, walk, type Element, type Node } from './document.html.ts';

/** The visible text of an element, with white space (including no-break spaces) collapsed. */
export type TextOf = (element: Element) => string;

interface Span {
  line: Line;
  start: number;
  end: number;
}

/**
 * Collects the texts of all elements in one walk: each is a slice of one line, so reading every text is linear, however
 * deep the nesting. Hidden elements have a line of their own.
 */
export function collectTexts(root: Node): TextOf {
  const spans = new Map<Node, Span>();
  const open: Span[] = [];
  const lines = [new Line()];
  walk(root, {
    enter(node) {
      const line = lines.at(-1) ?? new Line();
      const data = dataOf(node);
      if (data !== undefined) line.append(data);
      if (!('children' in node)) return false;
      const span = { line, start: line.length, end: line.length };
      open.push(span);
      spans.set(node, span);
      if (isHidden(node)) lines.push(new Line());
      else if (isBlock(node)) line.append(' ');
      return true;
    },
    leave(node) {
      const span = open.pop();
      if (isHidden(node)) lines.pop();
      else if (span !== undefined) {
        if (isBlock(node)) span.line.append(' ');
        span.end = span.line.length;
      }
    },
  });
  return (element) => {
    const span = spans.get(element);
    return span === undefined ? '' : span.line.slice(span.start, span.end).trim();
  };
}

function isHidden(node: Node): boolean {
  return isElement(node) && HIDDEN.has(node.name);
}

function isBlock(node: Node): boolean {
  return isElement(node) && !INLINE.has(node.name);
}

/** An append-only text without consecutive spaces. */
class Line {
  readonly #parts: string[] = [];
  #joined: string | undefined;
  #endsInBlank = true;
  length = 0;

  append(text: string): void {
    const reduced = text.replace(/\s+/g, ' ');
    const part = this.#endsInBlank && reduced.startsWith(' ') ? reduced.slice(1) : reduced;
    if (part === '') return;
    this.#parts.push(part);
    this.#endsInBlank = part.endsWith(' ');
    this.length += part.length;
  }

  slice(start: number, end: number): string {
    this.#joined ??= this.#parts.join('');
    return this.#joined.slice(start, end);
  }
}

export function shortTextOf(element: Element, max: number, textOf: TextOf): string | undefined {
  const text = textOf(element);
  return text.length <= max ? text : undefined;
}

/**
 * The first non-empty text nodes of an element, in document order. Separates a name from the publisher below it, whatever
 * elements or `<br>` divide them.
 */
export function firstTextsOf(element: Element, count: number): string[] {
  const texts: string[] = [];
  walk(element, {
    enter(node) {
      const text = (dataOf(node) ?? '').replace(/\s+/g, ' ').trim();
      if (text !== '') texts.push(text);
      return isVisible(node) && texts.length < count;
    },
  });
  return texts.slice(0, count);
}

export function visibleElements(root: Element): Element[] {
  const elements: Element[] = [];
  walk(root, {
    enter(node) {
      if (!isVisible(node)) return false;
      if (node !== root) elements.push(node);
      return true;
    },
  });
  return elements;
}

function isVisible(node: Node): node is Element {
  return isElement(node) && !HIDDEN.has(node.name);
}
