import { dataOf, isElement, type Element, type Node } from './document.ts';

/** What a browser doesn't show. */
const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'head']);
/** Elements that stay within a line; every other one ends the line before it. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data em font i kbd mark q s small span strong sub sup time u var'.split(' '),
);

/** The text that a reader sees, white space (no-break spaces included) reduced to single blanks. */
export function textOf(node: Node): string {
  return oneLine([...eachPiece(node)].join(''));
}

/** As {@link textOf}, or undefined when it is longer than `max`: for asking many elements, however much is in them. */
export function shortTextOf(node: Node, max: number): string | undefined {
  let text = '';
  for (const piece of eachPiece(node)) {
    const reduced = piece.replace(/\s+/g, ' ');
    text += text === '' || text.endsWith(' ') ? reduced.trimStart() : reduced;
    if (text.trimEnd().length > max) return undefined;
  }
  return text.trimEnd();
}

/**
 * The separate texts in a node, in order, empty ones left out: what stands in different elements, or on both sides of
 * a `<br>`, is separate. A cell with a name and "below it" a publisher gives both, however they are set apart.
 */
export function textsOf(node: Node): string[] {
  return textNodes(node)
    .map(oneLine)
    .filter((text) => text !== '');
}

/** White space reduced to single blanks, none at the ends. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function* eachPiece(node: Node): Generator<string> {
  const data = dataOf(node);
  if (data !== undefined) yield data;
  if (!isElement(node) || HIDDEN.has(node.name)) return;
  const isInline = INLINE.has(node.name);
  if (!isInline) yield ' ';
  for (const child of node.children) yield* eachPiece(child);
  if (!isInline) yield ' ';
}

function textNodes(node: Node): string[] {
  const data = dataOf(node);
  if (data !== undefined) return [data];
  if (!isElement(node) || HIDDEN.has(node.name)) return [];
  return node.children.flatMap(textNodes);
}

/** Every element below (and not) `root` that a browser shows, in the order of the document. */
export function* shownElements(root: Element): Generator<Element> {
  for (const child of root.children) {
    if (!isElement(child) || HIDDEN.has(child.name)) continue;
    yield child;
    yield* shownElements(child);
  }
}
