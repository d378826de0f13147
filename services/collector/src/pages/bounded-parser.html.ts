import { Parser, Tokenizer } from 'parse5';
import { boundExceeded, boundedTree } from './bounded-tree.html.ts';

/** Attributes of a tag; parse5 compares each new name with all others, which takes quadratic time. */
const MAX_ATTRIBUTES = 256;

/**
 * Parses a page as browsers do, with the source locations of its tags.
 *
 * @throws PageNotUnderstoodError for a page that exceeds the bounds of the tree, or has a tag with too many attributes
 */
export function parseBounded(html: string) {
  const parser = new Parser({ sourceCodeLocationInfo: true, scriptingEnabled: true, treeAdapter: boundedTree() });
  parser.tokenizer = new BoundedTokenizer(parser.options, parser);
  parser.tokenizer.write(html, true);
  return parser.document;
}

/** Only the tokenizer can count attributes while it reads a tag, and distinguish tags from scripts and comments. */
class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const tag = this.currentToken;
    if (tag !== null && 'attrs' in tag && tag.attrs.length >= MAX_ATTRIBUTES) {
      throw boundExceeded('a tag has attributes');
    }
    super._leaveAttrName();
  }
}
