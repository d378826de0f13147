import type { CheerioAPI } from 'cheerio';
import { listOf, type Texts } from '../network/source-description.ts';
import { dataOf, isElement, pathTo, tablePartOf, walk, type Element, type Node } from './document.parse.ts';

/** A text of one element, as it is shown: without white space around it. */
export interface Run {
  readonly node: Node;
  text: string;
  /** What separates it from the run before. */
  before: '' | ' ' | '\n';
  /** Whether it stands in an element that the description ignores. */
  readonly isIgnored: boolean;
  /** An ignored text that touches it, and may be a part of the same value. */
  readonly beside?: Run | undefined;
}

/** CSS selectors of a description. */
export interface Marks {
  hidden?: Texts | undefined;
  ignore?: Texts | undefined;
  keep?: Texts | undefined;
  /** What a name ends with that the page cuts. */
  cut?: Texts | undefined;
}

/** The visible text of a page. Lines end at blocks and `br`. */
export interface VisibleText {
  readonly runs: readonly Run[];
  /** The runs of an element are those from `start` to before `end`; undefined for a hidden element. */
  spanOf(element: Element): { start: number; end: number } | undefined;
  isVisible(element: Element): boolean;
  /** The lines of an element without ignored elements, unless they are all of it. */
  linesOf(element: Element): Run[][];
  /** The same on one line. */
  textOf(element: Element): string;
  /** The text with ignored elements, on one line. */
  fullTextOf(element: Element): string;
  /**
   * The text of an element that shows a number. Undefined when it is not known which digits make the number: they come from several
   * elements, or an ignored element beside them has digits or a unit.
   */
  numberOf(element: Element): string | undefined;
  /** The text of a line; undefined when several elements of it may each be the value: something would be added to it. */
  valueOf(line: readonly Run[]): string | undefined;
  /** Whether the page shows only the beginning of a name. */
  isCut(name: string): boolean;
  /** The lines of the page. */
  readonly lines: readonly string[];
}

/** Elements whose content is not shown, or not as text of the page. */
const UNSEEN_ELEMENTS = new Set(
  'script style template noscript head title svg iframe noembed noframes audio video canvas object progress meter datalist map rt rp'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 ' +
    'h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
/** Elements that format a part of a value when they have no attributes. */
const FORMATTING = new Set(
  'b bdi bdo big cite code em font i ins kbd mark nobr q ruby span strong tt u var'.split(' '),
);

/** Break opportunities without a glyph, and glyphs of icon fonts. */
const UNSEEN = /[\u00AD\u200B\u2060\uFEFF\uE000-\uF8FF]/g;
/** Longer texts are cut: no value of a page has as many runs. */
const MAX_RUNS = 200;

export function readVisibleText($: CheerioAPI, { hidden, ignore, keep, cut }: Marks): VisibleText {
  const [hides, ignores, keeps] = [hidden, ignore, keep].map((selectors) => elementsOf($, selectors)) as [
    Set<Node>,
    Set<Node>,
    Set<Node>,
  ];
  const runs: Run[] = [];
  const spans = new Map<Node, { start: number; end: number }>();
  let before: Run['before'] = '\n';
  let ignoredDepth = 0;
  const separate = (by: Run['before']) => (before = wider(before, by));
  const isBlock = new Set<Node>();
  // Only those who listen do not notice an aria-hidden text within a line.
  const isIgnored = (node: Node) =>
    (ignores.has(node) || (isElement(node) && node.attribs['aria-hidden'] === 'true')) && !keeps.has(node);

  walk($.root()[0] as Node, {
    enter(node) {
      if (isFolded(node)) return false;
      const data = dataOf(node);
      if (data !== undefined) append(node, data);
      if (!('children' in node)) return false;
      if (isElement(node)) {
        if (isHidden(node) || hides.has(node)) return false;
        if (node.name === 'select' || node.name === 'textarea') {
          spans.set(node, { start: runs.length, end: runs.length });
          return false;
        }
        if (BLOCKS.has(node.name) || isShownAsBlock(node)) {
          isBlock.add(node);
          separate('\n');
        }
        if (isReversed(node)) append(node, '\uFFFD');
        if (isIgnored(node)) ignoredDepth += 1;
      }
      spans.set(node, { start: runs.length, end: runs.length });
      if (isElement(node) && node.name === 'img' && EMOJI.test(node.attribs['alt'] ?? ''))
        append(node, node.attribs['alt'] ?? '');
      return true;
    },
    leave(node) {
      const span = spans.get(node);
      if (span === undefined) return;
      span.end = runs.length;
      if (isIgnored(node)) ignoredDepth -= 1;
      if (isBlock.has(node)) separate('\n');
    },
  });
  let lines: string[] | undefined;
  return {
    runs,
    spanOf: (element) => spans.get(element),
    isVisible: (element) => spans.has(element),
    linesOf: (element) => linesOf(shownRuns(element)),
    textOf: (element) => textOf(shownRuns(element)),
    fullTextOf: (element) => textOf(allRuns(element)),
    numberOf,
    valueOf,
    isCut: (name) => listOf(cut).some((end) => name.endsWith(end)),
    get lines() {
      lines ??= linesOf(runs).map(textOf);
      return lines;
    },
  };

  function append(node: Node, data: string): void {
    const text = data.replace(UNSEEN, '').replace(/\s+/g, ' ');
    const last = runs.at(-1);
    const shown = text.trim();
    if (/^\s/.test(text)) separate(' ');
    if (shown === '') return;
    if (last !== undefined && before !== '\n' && isSameText(last.node, node)) last.text += before + shown;
    else runs.push({ node, text: shown, before, isIgnored: ignoredDepth > 0 });
    before = /\s$/.test(text) ? ' ' : '';
  }

  function allRuns(element: Element): Run[] {
    const span = spans.get(element);
    return span === undefined ? [] : runs.slice(span.start, Math.min(span.end, span.start + MAX_RUNS));
  }

  function shownRuns(element: Element): Run[] {
    const all = allRuns(element);
    if (all.every(({ isIgnored }) => isIgnored)) return all;
    const shown: Run[] = [];
    let separator: Run['before'] = '';
    for (const [index, run] of all.entries()) {
      separator = wider(separator, run.before);
      const [last, next] = [all[index - 1], all[index + 1]];
      const touching = [run.before === '' ? last : undefined, next?.before === '' ? next : undefined];
      const beside = touching.find((each) => each?.isIgnored === true);
      if (!run.isIgnored) shown.push({ ...run, before: separator, beside });
      separator = run.isIgnored ? wider(separator, ' ') : '';
    }
    return shown;
  }

  function numberOf(element: Element): string | undefined {
    const [all, shown] = [allRuns(element), shownRuns(element)];
    const isBeside = (index: number) =>
      (index > 0 && all[index]?.before !== '\n') || (index + 1 < all.length && all[index + 1]?.before !== '\n');
    const isDoubtful = all.some((run, index) => run.isIgnored && isBeside(index) && isPartOfNumber(run.text));
    if (shown.length < all.length && isDoubtful) return undefined;
    const isSplit = shown.some((run, index) => {
      const last = shown[index - 1];
      return last !== undefined && ENDS_IN_NUMBER.test(last.text) && STARTS_AS_NUMBER.test(run.text);
    });
    return isSplit ? undefined : textOf(shown);
  }

  function valueOf(line: readonly Run[]): string | undefined {
    const [first, ...others] = line;
    if (first === undefined || line.some(({ beside }) => beside !== undefined)) return undefined;
    if (others.length === 0) return first.text;
    const within = commonAncestor(line.map(({ node }) => node));
    const depths = line.map(({ node }) => formatsOf(node, within));
    if (depths.includes(undefined)) return undefined;
    // An element at an end that white space separates may be a title or a tag beside the value.
    const isBeside = (index: number, separator: string | undefined) =>
      depths[index] !== 0 &&
      separator !== '' &&
      /[\p{L}\p{N}\p{RI}\p{Extended_Pictographic}]/u.test(line[index]?.text ?? '');
    if (isBeside(0, line[1]?.before) || isBeside(line.length - 1, line.at(-1)?.before)) return undefined;
    return textOf(line);
  }

  /** How many elements format a part of a value; undefined for others. */
  function formatsOf(node: Node, within: Node | undefined): number | undefined {
    let formats = isElement(node) && !keeps.has(node) ? 1 : 0;
    for (let at = node.parent; at !== null && at !== within; at = at.parent) {
      if (!isElement(at)) return undefined;
      if (keeps.has(at)) continue;
      if (!FORMATTING.has(at.name) || Object.keys(at.attribs).length > 0) return undefined;
      formats += 1;
    }
    return formats;
  }
}

function wider(one: Run['before'], other: Run['before']): Run['before'] {
  return one === '\n' || other === '\n' ? '\n' : one || other;
}

function elementsOf($: CheerioAPI, selectors: Texts | undefined): Set<Node> {
  const list = listOf(selectors);
  return new Set<Node>(list.length === 0 ? [] : $(list.join(', ')).toArray());
}

export function linesOf(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [];
  for (const run of runs) {
    const line = lines.at(-1);
    if (line === undefined || run.before === '\n') lines.push([run]);
    else line.push(run);
  }
  return lines;
}

export function textOf(runs: readonly Run[]): string {
  return runs.map(({ text, before }, index) => (index === 0 ? '' : before === '\n' ? ' ' : before) + text).join('');
}

/** A picture that stands for one character, as scripts put it into names. */
const EMOJI = /^\p{RGI_Emoji}$/v;

/** Not shown until somebody opens it: all of `details` but its summary. */
function isFolded(node: Node): boolean {
  const { parent } = node;
  if (parent === null || !isElement(parent) || parent.name !== 'details') return false;
  return parent.attribs['open'] === undefined && !(isElement(node) && node.name === 'summary');
}

function isHidden({ name, attribs }: Element): boolean {
  if (UNSEEN_ELEMENTS.has(name) || attribs['hidden'] !== undefined || attribs['popover'] !== undefined) return true;
  if (name === 'dialog' && attribs['open'] === undefined) return true;
  if (attribs['aria-hidden'] === 'true' && BLOCKS.has(name)) return true;
  return /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i.test(attribs['style'] ?? '');
}

function isShownAsBlock(element: Element): boolean {
  const part = tablePartOf(element);
  return (
    part === 'row' ||
    part === 'cell' ||
    part === 'heading' ||
    /display\s*:\s*(?:block|flex|grid)/i.test(element.attribs['style'] ?? '')
  );
}

/** Shows its characters from right to left, whatever they are: `184` for `481`. */
function isReversed({ name, attribs }: Element): boolean {
  const style = attribs['style'] ?? '';
  const isOverride = name === 'bdo' || /unicode-bidi\s*:\s*(?:isolate|bidi)-override/i.test(style);
  return isOverride && (attribs['dir']?.toLowerCase() === 'rtl' || /direction\s*:\s*rtl/i.test(style));
}

const COMMENT_NODE = 8;

/** Only comments separate them, which no browser shows. */
function isSameText(before: Node, node: Node): boolean {
  if (dataOf(node) === undefined || dataOf(before) === undefined) return false;
  let previous = node.prev;
  while (previous !== null && (previous.nodeType === COMMENT_NODE || dataOf(previous)?.trim() === ''))
    previous = previous.prev;
  return previous === before;
}

const ENDS_IN_NUMBER = /\p{N}[,.'’٬٫،\s]?$/u;
/** A number with a sign or in brackets counts, too: beside another number it tells a change. */
const STARTS_AS_NUMBER = /^[^\p{L}\p{N}/:]*\p{N}/u;
const UNIT =
  /^(?:[kmb]|mio|mil|mln|mrd|bn|tsd|thousand|million|billion|lakh|crore|[千万萬億亿천만])\.?\+?$|^[+%٪‰~≈<>≤≥]+$/iu;

/** Whether it may go on with the number beside it: `24` and `K`, `481` and `+`, `4` and `81`. */
function isPartOfNumber(text: string): boolean {
  return /\p{N}/u.test(text) || UNIT.test(text);
}

function commonAncestor(nodes: readonly Node[]): Node | undefined {
  const [first = [], ...others] = nodes.map(pathTo);
  let depth = 0;
  while (depth + 1 < first.length && others.every((path) => path[depth + 1] === first[depth + 1])) depth += 1;
  return first[depth];
}

/** A selector that names an element to a person. */
export function selectorOf(node: Node): string {
  const element = isElement(node) ? node : node.parent !== null && isElement(node.parent) ? node.parent : undefined;
  if (element === undefined) return '';
  const [name] = (element.attribs['class'] ?? '').split(/\s+/).filter((each) => /^[\w-]+$/.test(each));
  return name === undefined ? element.name : `${element.name}.${name}`;
}
