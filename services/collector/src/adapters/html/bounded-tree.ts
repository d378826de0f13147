import { load, type CheerioOptions } from 'cheerio';
import { PageNotUnderstoodError } from '../../domain/page-failures.ts';

/** Elements that may be open at once. Deeper pages are not pages: the parser's work grows with the square of the depth. */
const MAX_DEPTH = 512;
/** A page of ten thousand games has two hundred thousand. */
const MAX_ELEMENTS = 500_000;

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
  let elements = 0;
  let depth = 0;
  return {
    ...tree,
    createElement(...description) {
      elements += 1;
      if (elements > MAX_ELEMENTS) throw new PageNotUnderstoodError('it has elements beyond reason');
      return tree.createElement(...description);
    },
    onItemPush() {
      depth += 1;
      if (depth > MAX_DEPTH) throw new PageNotUnderstoodError('it is nested beyond reason');
    },
    onItemPop() {
      depth -= 1;
    },
  };
}
