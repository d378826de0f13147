import type { Cheerio, CheerioAPI } from 'cheerio';

type Root = ReturnType<CheerioAPI['root']> extends Cheerio<infer Node> ? Node : never;
export type Node = Root['childNodes'][number];
export type Element = Extract<Node, { attribs: unknown }>;

const TEXT_NODE = 3;

export function isClosed(element: Element): boolean {
  return element.sourceCodeLocation?.endTag !== undefined;
}

export function parentElement({ parent }: Element): Element | undefined {
  return parent !== null && 'attribs' in parent ? parent : undefined;
}

export function isElement(node: Node): node is Element {
  return 'attribs' in node;
}

export function dataOf(node: Node): string | undefined {
  return node.nodeType === TEXT_NODE && 'data' in node ? node.data : undefined;
}

export interface Visitor {
  /** Called for each node in document order; returns whether the node's children are visited. */
  enter(node: Node): boolean;
  leave?(node: Node): void;
}

/**
 * Visits a node and its descendants in linear time; nested generators would pass each node through every ancestor. The
 * parser bounds the depth.
 */
export function walk(node: Node, visitor: Visitor): void {
  if (!visitor.enter(node) || !('children' in node)) return;
  for (const child of node.children) walk(child, visitor);
  visitor.leave?.(node);
}

/** The node's ancestors from the root, and itself. */
export function pathTo(node: Node): Node[] {
  const path: Node[] = [];
  for (let next: Node | null = node; next !== null; next = next.parent) path.push(next);
  return path.reverse();
}
