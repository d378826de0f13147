import { dataOf, isElement, type Element, type Node } from './document.html.ts';
import { HIDDEN } from './element-kinds.ts';
import type { TextOf } from './page-texts.html.ts';
import { walk } from './walk.html.ts';

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
