import { dataOf, isElement, tablePartOf, walk, type Element, type Node } from './document.parse.ts';
import { TextFlow, oneLine, splitLines, type PageLine } from './text-flow.parse.ts';
import { displayOfStyle, effectsOf, hiddenBySheets, stylesHide, type ClassEffects } from './class-rules.ts';

/**
 * The text of a page as a person sees it: without hidden elements, icons and annotations; lines end at blocks and `br`
 * alone, so that other elements neither split nor join words.
 */
export interface VisibleText {
  /** The text of an element on one line, without badges unless they are all of it. */
  textOf(element: Element): string;
  /** The same, line by line, without empty lines. */
  linesOf(element: Element): string[];
  /** The lines with their badges. */
  fullLinesOf(element: Element): string[];
  /** The text with its badges, on one line. */
  fullTextOf(element: Element): string;
  /**
   * The text of an element that shows numbers. Undefined when the digits of one number come from several elements
   * (`481<sup>1</sup>`), or a badge beside a number has digits or a unit: which of them are meant is not known. A badge
   * that tells a change (`+12%`) is no part of it.
   */
  numbersOf(element: Element): string | undefined;
  isVisible(element: Element): boolean;
  /** Whether the element is a badge or within one. */
  isBadge(element: Element): boolean;
  /** Lines of the whole page, in order. */
  readonly lines: readonly PageLine[];
}

const MAX_CLASSES = 40;

/** Elements whose content is not shown, or not as text. */
const HIDDEN = new Set(
  (
    'script style template noscript head title svg iframe noembed noframes audio video canvas object progress meter ' +
    'datalist map rt rp rtc'
  ).split(' '),
);

/** Blocks and parts of tables; every other element is inline. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section ' +
    'summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

/** Elements that keep their text to themselves: a list shows its selected option alone. */
const CONTROLS = new Set(['select', 'textarea']);

interface Span {
  flow: TextFlow;
  start: number;
  end: number;
}

interface Open {
  node: Node;
  span: Span;
  isOwnFlow: boolean;
  isHidden: boolean;
  isBadge: boolean;
  isBlock: boolean;
  isApart: boolean;
  effects: ClassEffects | undefined;
}

/** Reads the texts of all elements in one walk: each is a slice of one flow, so that deep nesting costs nothing. */
export function readVisibleText(root: Node): VisibleText {
  const spans = new Map<Node, Span>();
  const hidden = new Set<Node>();
  const badges = new Set<Node>();
  const open: Open[] = [];
  const flows = [new TextFlow()];
  const sheet = hiddenBySheets(sheetsOf(root));
  let [hiddenDepth, badgeDepth] = [0, 0];

  walk(root, {
    enter(node) {
      const flow = flows.at(-1) ?? new TextFlow();
      const data = dataOf(node);
      if (data !== undefined) flow.append(data, node);
      if (!('children' in node)) return false;
      const parent = open.at(-1);
      const effects = isElement(node) ? effectsOf(node.attribs['class']) : undefined;
      const isHidden = isElement(node) && hides(node, effects, parent, sheet);
      const isBadge = isElement(node) && (effects?.isBadge === true || node.name === 'button');
      const isBlock = isElement(node) && isBlockLike(node, effects, parent);
      const isApart = parent?.effects?.children === 'beside';
      const isOwnFlow = isHidden || (isElement(node) && CONTROLS.has(node.name));
      if (isBlock) flow.break();
      else if (isApart) flow.space();
      if (isOwnFlow) flows.push(new TextFlow());
      const current = flows.at(-1) ?? flow;
      const span = { flow: current, start: current.length, end: current.length };
      if (isElement(node) && isReversed(node)) current.append('\uFFFD', node);
      if (isHidden) hiddenDepth += 1;
      if (hiddenDepth > 0) hidden.add(node);
      if (isBadge) badgeDepth += 1;
      if (badgeDepth > 0) badges.add(node);
      spans.set(node, span);
      open.push({ node, span, isOwnFlow, isHidden, isBadge, isBlock, isApart, effects });
      return true;
    },
    leave() {
      const closed = open.pop();
      if (closed === undefined) return;
      const { node, span, isOwnFlow, isHidden, isBadge, isBlock, isApart } = closed;
      span.end = span.flow.length;
      if (badgeDepth === 0 && isElement(node) && tablePartOf(node) === undefined) {
        span.flow.markElement(span.start, span.end);
      }
      if (isBadge) {
        badgeDepth -= 1;
        if (badgeDepth === 0) span.flow.markBadge(span.start, span.end);
      }
      if (isOwnFlow) flows.pop();
      if (isHidden) hiddenDepth -= 1;
      const flow = flows.at(-1);
      if (isBlock) flow?.break();
      else if (isApart) flow?.space();
    },
  });

  const main = flows[0] ?? new TextFlow();
  let lines: PageLine[] | undefined;
  return {
    textOf: (element) => oneLine(plainOf(element)),
    linesOf: (element) => splitLines(plainOf(element)),
    fullLinesOf: (element) => splitLines(sliceOf(element)),
    fullTextOf: (element) => oneLine(sliceOf(element)),
    numbersOf: (element) => {
      const span = spans.get(element);
      return span === undefined ? '' : span.flow.numbers(span.start, span.end);
    },
    isVisible: (element) => !hidden.has(element),
    isBadge: (element) => badges.has(element),
    get lines() {
      lines ??= main.lines();
      return lines;
    },
  };

  function sliceOf(element: Element): string {
    const span = spans.get(element);
    return span === undefined ? '' : span.flow.slice(span.start, span.end);
  }

  function plainOf(element: Element): string {
    const span = spans.get(element);
    return span === undefined ? '' : span.flow.plain(span.start, span.end);
  }
}

function hides(
  element: Element,
  effects: ClassEffects | undefined,
  parent: Open | undefined,
  sheet: ReadonlySet<string>,
): boolean {
  const { name, attribs } = element;
  if (HIDDEN.has(name) || name.endsWith('-icon') || effects?.isHidden === true) return true;
  if (effects?.isIcon === true && /^(?:i|span|em|b|a|svg|small|div)$/.test(name)) return true;
  if (attribs['hidden'] !== undefined || attribs['popover'] !== undefined || stylesHide(attribs['style'])) return true;
  if (attribs['role'] === 'img' || attribs['role'] === 'tooltip') return true;
  if (name === 'dialog' && attribs['open'] === undefined) return true;
  if (attribs['x-cloak'] !== undefined || attribs['v-cloak'] !== undefined) return true;
  if (name === 'input') return true;
  if (name === 'sup' && isFootnote(element)) return true;
  const within = parent?.node;
  const isFolded =
    within !== undefined && isElement(within) && within.name === 'details' && within.attribs['open'] === undefined;
  if (isFolded && name !== 'summary') return true;
  return sheet.size > 0 && isInSheet(element, sheet);
}

/** Shows its characters from right to left, whatever they are: `184` for `481`. */
function isReversed({ name, attribs }: Element): boolean {
  const style = attribs['style'] ?? '';
  const isOverride = name === 'bdo' || /unicode-bidi\s*:\s*(?:isolate|bidi)-override/i.test(style);
  return isOverride && (attribs['dir']?.toLowerCase() === 'rtl' || /direction\s*:\s*rtl/i.test(style));
}

/** A mark that links to a note is no part of the value that it follows. */
function isFootnote({ attribs, children }: Element): boolean {
  if (/\b(?:reference|footnote)\b/.test(attribs['class'] ?? '')) return true;
  return children.some(
    (child) => isElement(child) && child.name === 'a' && child.attribs['href']?.startsWith('#') === true,
  );
}

function isInSheet({ name, attribs }: Element, sheet: ReadonlySet<string>): boolean {
  const selectors = (attribs['class'] ?? '').split(/\s+/, MAX_CLASSES).map((each) => `.${each}`);
  if (attribs['id'] !== undefined) selectors.push(`#${attribs['id']}`);
  return selectors.some((selector) => sheet.has(selector) || sheet.has(`${name}${selector}`));
}

function isBlockLike(element: Element, effects: ClassEffects | undefined, parent: Open | undefined): boolean {
  const { name, attribs } = element;
  if (parent?.effects?.children === 'stacked') return true;
  const part = tablePartOf(element);
  if (part !== undefined && part !== 'table') return true;
  const display = displayOfStyle(attribs['style']) ?? effects?.display;
  if (BLOCKS.has(name)) return display !== 'inline' || /^br$|^li$/.test(name);
  return display === 'block';
}

function sheetsOf(root: Node): string[] {
  const sheets: string[] = [];
  walk(root, {
    enter(node) {
      if (!isElement(node) || node.name !== 'style') return true;
      sheets.push(node.children.map((child) => dataOf(child) ?? '').join(''));
      return false;
    },
  });
  return sheets;
}
