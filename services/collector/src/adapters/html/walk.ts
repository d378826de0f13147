import type { Node } from './document.ts';

export interface Visitor {
  /** Called for each node in document order; returns whether the node's children are visited. */
  enter(node: Node): boolean;
  leave?(node: Node): void;
}

/**
 * Visits a node and what is in it, in time linear in the nodes visited: nested generators would pass each node through
 * every level above it. The parser bounds the depth.
 */
export function walk(node: Node, visitor: Visitor): void {
  if (!visitor.enter(node) || !('children' in node)) return;
  for (const child of node.children) walk(child, visitor);
  visitor.leave?.(node);
}
