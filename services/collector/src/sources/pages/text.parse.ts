import type { CheerioAPI } from 'cheerio';
import { listOf, type Texts } from '../descriptions/source-description.ts';
import { dataOf, isElement, pathTo, walk, type Element, type Node } from './document.parse.ts';

/** A text of one element, as it is shown: without white space around it. */
export interface Run {
  readonly node: Node;
  text: string;
  /** What separates it from the run before. */
  before: '' | ' ' | '\n';
}

/** CSS selectors of a description. */
export interface Marks {
  hidden?: Texts | undefined;
  keep?: Texts | undefined;
}

/** The visible text of a page. Lines end at blocks and `br`. */
export interface VisibleText {
  readonly runs: readonly Run[];
  /** The runs of a node are those from `start` to before `end`; undefined for a hidden one. */
  spanOf(node: Node): { start: number; end: number } | undefined;
  linesOf(node: Node): Run[][];
  /** The text of a node on one line. */
  textOf(node: Node): string;
  /** The text of a line; undefined when several elements of it may each be the value, or digits of two make a number. */
  valueOf(line: readonly Run[]): string | undefined;
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

/** Break opportunities and marks of direction without a glyph, and glyphs of icon fonts. */
const UNSEEN = /[\u00AD\u200B\u200E\u200F\u2060\uFEFF\uE000-\uF8FF]/g;
/** Longer texts are cut: no value of a page has as many runs. */
const MAX_RUNS = 200;

export function readVisibleText($: CheerioAPI, { hidden, keep }: Marks): VisibleText {
  const [hides, keeps] = [elementsOf($, hidden), elementsOf($, keep)];
  const runs: Run[] = [];
  const spans = new Map<Node, { start: number; end: number }>();
  let before: Run['before'] = '\n';

  walk($.root()[0] as Node, {
    enter(node) {
      if (isFolded(node)) return false;
      append(node, dataOf(node) ?? '');
      if (!isElement(node)) return 'children' in node;
      if (isHidden(node) || hides.has(node)) return false;
      if (BLOCKS.has(node.name)) before = '\n';
      spans.set(node, { start: runs.length, end: runs.length });
      if (isReversed(node)) append(node, '\uFFFD');
      if (node.name === 'img' && EMOJI.test(node.attribs['alt'] ?? '')) append(node, node.attribs['alt'] ?? '');
      return node.name !== 'select' && node.name !== 'textarea';
    },
    leave(node) {
      const span = spans.get(node);
      if (span === undefined || !isElement(node)) return;
      span.end = runs.length;
      if (BLOCKS.has(node.name)) before = '\n';
    },
  });
  let lines: string[] | undefined;
  return {
    runs,
    spanOf: (node) => spans.get(node),
    linesOf: (node) => linesOf(runsOf(node)),
    textOf: (node) => textOf(runsOf(node)),
    valueOf,
    get lines() {
      lines ??= linesOf(runs).map(textOf);
      return lines;
    },
  };

  function append(node: Node, data: string): void {
    const text = data.replace(UNSEEN, '').replace(/\s+/g, ' ');
    const isSpaced = before !== '\n' && /^\s/.test(text);
    if (isSpaced) before = ' ';
    if (text.trim() === '') return;
    runs.push({ node, text: text.trim(), before });
    spans.set(node, { start: runs.length - 1, end: runs.length });
    before = /\s$/.test(text) ? ' ' : '';
  }

  function runsOf(node: Node): Run[] {
    const { start, end } = spans.get(node) ?? { start: 0, end: 0 };
    return runs.slice(start, Math.min(end, start + MAX_RUNS));
  }

  function valueOf(line: readonly Run[]): string | undefined {
    if (line.length < 2) return line[0]?.text;
    const within = depthOfCommon(line.map(({ node }) => node));
    const formatted = line.map(({ node }) => isFormatted(node, within));
    if (formatted.includes(undefined) || line.some(isOtherNumber)) return undefined;
    // An element at an end that white space separates may be a title or a tag beside the value.
    const isBeside = (index: number, separator: string | undefined) =>
      formatted[index] === true &&
      separator !== '' &&
      /[\p{L}\p{N}\p{RI}\p{Extended_Pictographic}]/u.test(line[index]?.text ?? '');
    if (isBeside(0, line[1]?.before) || isBeside(line.length - 1, line.at(-1)?.before)) return undefined;
    return textOf(line);
  }

  /** Whether elements below that depth, or its own, format a run as a part of its line; undefined when others set it apart. */
  function isFormatted(node: Node, depth: number): boolean | undefined {
    const own = pathTo(node)
      .slice(depth)
      .filter((each) => isElement(each) && each.name !== 'img' && !keeps.has(each)) as Element[];
    const isApart = own.some(({ name, attribs }) => !FORMATTING.has(name) || Object.keys(attribs).length > 0);
    return isApart ? undefined : own.length > 0 || isElement(node);
  }
}

/** The digits of a number come from one element: `481` and a footnote `1` are not 4811. */
function isOtherNumber({ text }: Run, index: number, line: readonly Run[]): boolean {
  return /^[^\p{L}\p{N}/:]*\p{N}/u.test(text) && /\p{N}[,.'’\s]?$/u.test(line[index - 1]?.text ?? '');
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

/** Shows its characters from right to left, whatever they are: `184` for `481`. */
function isReversed({ name, attribs }: Element): boolean {
  const style = attribs['style'] ?? '';
  const isOverride = name === 'bdo' || /unicode-bidi\s*:\s*(?:isolate|bidi)-override/i.test(style);
  return isOverride && (attribs['dir']?.toLowerCase() === 'rtl' || /direction\s*:\s*rtl/i.test(style));
}

/** How many ancestors the nodes share. */
function depthOfCommon(nodes: readonly Node[]): number {
  const [first = [], ...others] = nodes.map(pathTo);
  let depth = 0;
  while (depth < first.length && others.every((path) => path[depth] === first[depth])) depth += 1;
  return depth;
}

/** A selector that names an element to a person. */
export function selectorOf(node: Node): string {
  const element = isElement(node) ? node : node.parent !== null && isElement(node.parent) ? node.parent : undefined;
  if (element === undefined) return '';
  const [name] = (element.attribs['class'] ?? '').split(/\s+/).filter((each) => /^[\w-]+$/.test(each));
  return name === undefined ? element.name : `${element.name}.${name}`;
}
