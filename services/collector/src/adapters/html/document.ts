import type { Cheerio, CheerioAPI } from 'cheerio';

type Root = ReturnType<CheerioAPI['root']> extends Cheerio<infer Node> ? Node : never;
/** Any node below the document. */
export type Node = Root['childNodes'][number];
/** A tag with its attributes. */
export type Element = Extract<Node, { attribs: unknown }>;

/** The DOM's number for a text. */
const TEXT_NODE = 3;

/** Whether the element's closing tag stands in the page. */
export function isClosed(element: Element): boolean {
  return element.sourceCodeLocation?.endTag !== undefined;
}

/** The children that are elements. */
export function childElements(element: Element): Element[] {
  return element.children.filter(isElement);
}

/** The element right before this one in its parent, whatever text lies between. */
export function previousElement(element: Element): Element | undefined {
  return nearestElement(element, 'prev');
}

/** The element right behind this one in its parent, whatever text lies between. */
export function nextElement(element: Element): Element | undefined {
  return nearestElement(element, 'next');
}

/** The element around this one; undefined for the outermost. */
export function parentElement({ parent }: Element): Element | undefined {
  return parent !== null && 'attribs' in parent ? parent : undefined;
}

/** Goes by links: a list of all siblings for each of them would cost the square of their number. */
function nearestElement(element: Element, direction: 'prev' | 'next'): Element | undefined {
  if (parentElement(element) === undefined) return undefined;
  let node = element[direction];
  while (node !== null && !isElement(node)) node = node[direction];
  return node ?? undefined;
}

export function isElement(node: Node): node is Element {
  return 'attribs' in node;
}

/** A node's text; undefined for elements, comments and the like. */
export function dataOf(node: Node): string | undefined {
  return node.nodeType === TEXT_NODE && 'data' in node ? node.data : undefined;
}
