import { load, type CheerioAPI, type CheerioOptions } from 'cheerio';
import { Parser, Tokenizer } from 'parse5';
import { UnparseablePageError } from '../network/page-failures.ts';
import type { RatingRule } from '../network/source-description.ts';
import { isClosed } from './document.parse.ts';
import { readVisibleText, type Marks, type VisibleText } from './text.parse.ts';

export interface Page {
  $: CheerioAPI;
  text: VisibleText;
}

/** What a reader needs besides the page and its description. */
export interface PageContext {
  /** Base of relative picture URLs. */
  baseUrl?: string | undefined;
  /** The number of the page, from 1. */
  page?: number | undefined;
  rule?: RatingRule | undefined;
}

/**
 * A page is whole when the parser itself met the closing tag of `<html>`: a truncated page is refused.
 *
 * @param marks which elements are hidden, ignored and kept
 * @throws UnparseablePageError for a page that is truncated, not HTML, or exceeds the parser's bounds
 */
export function loadWholePage(html: string, marks: Marks): Page {
  const $ = load(parseBounded(html));
  const root = $('html').get(0);
  if (root === undefined || !isClosed(root)) throw new UnparseablePageError('it ends before </html>');
  return { $, text: readVisibleText($, marks) };
}

export function isSelector(text: string): boolean {
  try {
    load('')(text);
    return true;
  } catch {
    return false;
  }
}

/** Attributes of a tag; parse5 compares each new name with all others, which takes quadratic time. */
const MAX_TAG_ATTRIBUTES = 256;

/**
 * Parses a page as browsers do, with the source locations of its tags.
 *
 * @throws UnparseablePageError for a page that exceeds the bounds of the tree, or has a tag with too many attributes
 */
function parseBounded(html: string) {
  const parser = new Parser({ sourceCodeLocationInfo: true, scriptingEnabled: true, treeAdapter: boundedTree() });
  parser.tokenizer = new BoundedTokenizer(parser.options, parser);
  parser.tokenizer.write(html, true);
  return parser.document;
}

/** Only the tokenizer can count attributes while it reads a tag, and distinguish tags from scripts and comments. */
class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const tag = this.currentToken;
    if (tag !== null && 'attrs' in tag && tag.attrs.length >= MAX_TAG_ATTRIBUTES) {
      throw boundExceeded('a tag has attributes');
    }
    super._leaveAttrName();
  }
}

/** Elements open at once; the parser takes time quadratic in the depth. */
const MAX_DEPTH = 512;
/** A page of 10,000 games has 200,000. */
const MAX_ELEMENTS = 500_000;
/** Attributes of all elements; elements that the HTML algorithm reopens count again. */
const MAX_ATTRIBUTES = 1_000_000;
/** Children shifted when the parser moves nodes out of their parent; moving 40,000 at once is within this. */
const MAX_SHIFTED = 1_000_000_000;

type TreeAdapter = NonNullable<CheerioOptions['treeAdapter']>;

/** The parser's default tree adapter. */
const defaultTree = load('').root().options.treeAdapter;

/**
 * A tree adapter for one page that bounds its size. It counts the nodes that the parser creates: not tags in scripts and
 * comments, but reopened elements each time. Its methods throw a UnparseablePageError, which ends parsing.
 */
function boundedTree(): TreeAdapter {
  const tree = defaultTree;
  if (tree === undefined) throw new Error('cheerio has no tree adapter: is it another release?');
  let [elements, attributes, depth, shifted] = [0, 0, 0, 0];
  return {
    ...tree,
    createElement(name, namespace, attrs) {
      elements += 1;
      attributes += attrs.length;
      if (elements > MAX_ELEMENTS) throw boundExceeded('it has elements');
      if (attributes > MAX_ATTRIBUTES) throw boundExceeded('it has attributes');
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
      if (shifted > MAX_SHIFTED) throw boundExceeded('its tags are misnested');
      tree.detachNode(node);
    },
    onItemPush() {
      depth += 1;
      if (depth > MAX_DEPTH) throw boundExceeded('it is nested');
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

/** The error of a page that exceeds a bound; final, since parsing it again would cost as much. */
function boundExceeded(excess: string): UnparseablePageError {
  return new UnparseablePageError(`${excess} beyond reason`, { isFinal: true });
}
