import { load, type Cheerio, type CheerioAPI } from 'cheerio';
import { PageNotUnderstoodError } from '../../domain/page-failures.ts';
import { boundedTree } from './bounded-tree.ts';

type Root = ReturnType<CheerioAPI['root']> extends Cheerio<infer Node> ? Node : never;
/** Any node below the document. */
export type Node = Root['childNodes'][number];
/** A tag with its attributes. */
export type Element = Extract<Node, { attribs: unknown }>;

/** The DOM's number for a text. */
const TEXT_NODE = 3;

/**
 * Parses a page that came whole.
 *
 * A page is whole when the parser itself came upon the closing tag of `<html>`: text that only looks like one, in an
 * attribute or a script, doesn't count. So a page that was cut anywhere before its end is refused, whatever was cut off.
 *
 * @throws PageNotUnderstoodError for a page that was cut, is no HTML document, or is nested beyond reason
 */
export function loadWholePage(html: string): CheerioAPI {
  const $ = load(html, { sourceCodeLocationInfo: true, treeAdapter: boundedTree() });
  const root = $('html').get(0);
  if (root === undefined || !isClosed(root)) throw new PageNotUnderstoodError('it ends before </html>');
  return $;
}

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
  const siblings = siblingsOf(element);
  return siblings[siblings.indexOf(element) - 1];
}

/** The element right behind this one in its parent, whatever text lies between. */
export function nextElement(element: Element): Element | undefined {
  const siblings = siblingsOf(element);
  return siblings[siblings.indexOf(element) + 1];
}

/** The element around this one; undefined for the outermost. */
export function parentElement({ parent }: Element): Element | undefined {
  return parent !== null && 'attribs' in parent ? parent : undefined;
}

function siblingsOf(element: Element): Element[] {
  const parent = parentElement(element);
  return parent === undefined ? [] : childElements(parent);
}

export function isElement(node: Node): node is Element {
  return 'attribs' in node;
}

/** A node's text; undefined for elements, comments and the like. */
export function dataOf(node: Node): string | undefined {
  return node.nodeType === TEXT_NODE && 'data' in node ? node.data : undefined;
}
