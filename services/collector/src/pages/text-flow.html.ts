import type { Node } from './document.html.ts';

/** A line of the page: its first and last text node, and whether its numbers are whole. */
export interface PageLine {
  /** With badges. */
  text: string;
  /** Without badges, unless they are all of it. */
  plain: string;
  hasWholeNumbers: boolean;
  first: Node;
  last: Node;
}

/** Longer texts are cut: no value of a page is as long. */
const MAX_TEXT_LENGTH = 4000;
/** Longer lines of a page are no label or counter. */
const MAX_LINE_LENGTH = 200;

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
}

/** Break opportunities without a glyph, and glyphs of icon fonts (private use). */
const UNSEEN = /[\u00AD\u200B\u2060\uFEFF\uE000-\uF8FF]/g;
const ENDS_IN_NUMBER = /\d[,.'’\s]?$/;
const STARTS_AS_NUMBER = /^[,.'’\s]?\d/;

interface Run {
  at: number;
  node: Node;
}

/** An append-only text without consecutive white space; `\n` ends a line. */
export class TextFlow {
  readonly #parts: string[] = [];
  readonly #runs: Run[] = [];
  /** Offsets at which a number goes on in another element. */
  readonly #joints: number[] = [];
  readonly #badges: [start: number, end: number][] = [];
  #joined: string | undefined;
  #tail = '\n';
  #lastText: Node | undefined;
  length = 0;

  append(data: string, node: Node): void {
    const reduced = data.replace(UNSEEN, '').replace(/\s+/g, ' ');
    const part = /\s$/.test(this.#tail) && reduced.startsWith(' ') ? reduced.slice(1) : reduced;
    if (part === '') return;
    const isNumberGoingOn = ENDS_IN_NUMBER.test(this.#tail) && STARTS_AS_NUMBER.test(part);
    if (isNumberGoingOn && !isSameRun(this.#lastText, node)) this.#joints.push(this.length);
    this.#runs.push({ at: this.length, node });
    this.#lastText = node;
    this.#push(part);
  }

  break(): void {
    if (this.#tail.endsWith('\n')) return;
    this.#push('\n');
  }

  space(): void {
    if (!/\s$/.test(this.#tail)) this.#push(' ');
  }

  markBadge(start: number, end: number): void {
    if (end > start) this.#badges.push([start, end]);
  }

  slice(start: number, end: number): string {
    return this.#text().slice(start, Math.min(end, start + MAX_TEXT_LENGTH));
  }

  plain(start: number, end: number): string {
    const rest = this.#split(start, end).outside;
    return rest.trim() === '' ? this.slice(start, end) : rest;
  }

  isSplitNumber(start: number, end: number): boolean {
    const joint = this.#joints[lowerBound(this.#joints.length, (index) => (this.#joints[index] ?? 0) > start)];
    return joint !== undefined && joint < end;
  }

  /** Undefined when it is not known which digits make a number: they come from several elements, or from a badge too. */
  numbers(start: number, end: number): string | undefined {
    if (this.isSplitNumber(start, end)) return undefined;
    const [full, plain] = [oneLine(this.slice(start, end)), oneLine(this.plain(start, end))];
    return full !== plain && /\d/.test(this.#split(start, end).inside) ? undefined : plain;
  }

  lines(): PageLine[] {
    const lines: PageLine[] = [];
    let [start, run] = [0, 0];
    for (const raw of this.#text().split('\n')) {
      const end = start + raw.length;
      const first = this.#runs[run]?.node;
      while ((this.#runs[run]?.at ?? Infinity) < end) run += 1;
      const last = this.#runs[run - 1]?.node;
      const isShort = raw.length <= MAX_LINE_LENGTH;
      const text = isShort ? oneLine(raw) : raw.slice(0, MAX_LINE_LENGTH);
      if (text !== '' && first !== undefined && last !== undefined) {
        const plain = isShort ? oneLine(this.plain(start, end)) : text;
        const hasWholeNumbers = isShort && !this.isSplitNumber(start, end);
        lines.push({ text, plain, hasWholeNumbers, first, last });
      }
      start = end + 1;
    }
    return lines;
  }

  #text(): string {
    return (this.#joined ??= this.#parts.join(''));
  }

  #split(start: number, end: number): { outside: string; inside: string } {
    const last = Math.min(end, start + MAX_TEXT_LENGTH);
    let [outside, inside, from] = ['', '', start];
    const badges = this.#badges;
    for (
      let at = lowerBound(badges.length, (index) => (badges[index]?.[0] ?? 0) >= start);
      at < badges.length;
      at += 1
    ) {
      const [badgeStart, badgeEnd] = badges[at] ?? [last, last];
      if (badgeStart >= last) break;
      if (badgeEnd > end) continue;
      outside += `${this.slice(from, Math.max(from, badgeStart))} `;
      inside += ` ${this.slice(badgeStart, badgeEnd)}`;
      from = badgeEnd;
    }
    return { outside: outside + this.slice(from, Math.max(from, last)), inside };
  }

  #push(part: string): void {
    this.#parts.push(part);
    this.#joined = undefined;
    this.length += part.length;
    this.#tail = (this.#tail + part).slice(-2);
  }
}

/** Only comments separate them, which no browser shows. */
function isSameRun(before: Node | undefined, node: Node): boolean {
  let previous = node.prev;
  while (previous !== null && previous.nodeType === COMMENT_NODE) previous = previous.prev;
  return before !== undefined && previous === before;
}

const COMMENT_NODE = 8;

function lowerBound(length: number, isAtOrAfter: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAtOrAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
