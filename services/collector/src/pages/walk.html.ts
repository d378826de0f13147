import type { Node } from './document.html.ts';

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
