import { load, type CheerioOptions } from 'cheerio';
import { PageNotUnderstoodError } from '../../domain/page-failures.ts';

/** Elements that may be open at once. Deeper pages are not pages: the parser's work grows with the square of the depth. */
const MAX_DEPTH = 512;
/** A page of ten thousand games has two hundred thousand. */
const MAX_ELEMENTS = 500_000;
/** Attributes of all elements: those that HTML opens again have all of theirs again. */
const MAX_ATTRIBUTES = 1_000_000;
/** Children that are shifted when the parser moves one out of its parent. Moving 40,000 at once is within this. */
const MAX_SHIFTED = 1_000_000_000;

type TreeAdapter = NonNullable<CheerioOptions['treeAdapter']>;

/** What the parser builds its tree with, unless told otherwise. */
const plainTree = load('').root().options.treeAdapter;

/**
 * A tree for one page, which gives up on a page that is nested beyond reason. It counts what the parser itself makes of
 * the page: what looks like tags in scripts and comments isn't counted, what is closed by itself isn't open, and elements
 * that HTML opens again and again count each time.
 *
 * Its methods throw a PageNotUnderstoodError, which ends the parsing.
 */
export function boundedTree(): TreeAdapter {
  const tree = plainTree;
  if (tree === undefined) throw new Error('cheerio has no tree adapter: is it another release?');
  let [elements, attributes, depth, shifted] = [0, 0, 0, 0];
  return {
    ...tree,
    createElement(name, namespace, attrs) {
      elements += 1;
      attributes += attrs.length;
      if (elements > MAX_ELEMENTS) throw beyondReason('it has elements');
      if (attributes > MAX_ATTRIBUTES) throw beyondReason('it has attributes');
      return tree.createElement(name, namespace, attrs);
    },
    insertBefore(parent, node, next) {
      parent.children.splice(parent.children.lastIndexOf(next), 0, node);
      if (next.prev !== null) next.prev.next = node;
      Object.assign(node, { parent, prev: next.prev, next });
      next.prev = node;
    },
    insertTextBefore(parent, text, next) {
      if (next.prev !== null && tree.isTextNode(next.prev)) next.prev.data += text;
      else this.insertBefore(parent, tree.createTextNode(text), next);
    },
    detachNode(node) {
      shifted += node.parent?.children.length ?? 0;
      if (shifted > MAX_SHIFTED) throw beyondReason('its tags are misnested');
      tree.detachNode(node);
    },
    onItemPush() {
      depth += 1;
      if (depth > MAX_DEPTH) throw beyondReason('it is nested');
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

/** What a page is refused with that exceeds a bound. Final: parsing it again would cost as much once more. */
export function beyondReason(excess: string): PageNotUnderstoodError {
  return new PageNotUnderstoodError(`${excess} beyond reason`, { isFinal: true });
}
