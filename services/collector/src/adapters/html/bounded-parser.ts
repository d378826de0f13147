import { Parser, Tokenizer } from 'parse5';
import { beyondReason, boundedTree } from './bounded-tree.ts';

/** Attributes of a tag. For each new one parse5 compares the names of all others: its work grows with their square. */
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

/** Only the tokenizer sees a tag before all its attributes are read, and tells a tag from `<` in a script or a comment. */
class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const tag = this.currentToken;
    if (tag !== null && 'attrs' in tag && tag.attrs.length >= MAX_ATTRIBUTES) {
      throw beyondReason('a tag has attributes');
    }
    super._leaveAttrName();
  }
}
