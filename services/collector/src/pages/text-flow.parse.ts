import { UNSEEN_MARKS, withoutMarksAround } from './digits.ts';
import type { Node } from './document.parse.ts';

/** A line of the page: its first and last text node, and whether its numbers are whole. */
export interface PageLine {
  /** With badges, but without those that tell a change. */
  text: string;
  /** Without badges, unless they are all of it. */
  plain: string;
  /** The same as {@link TextFlow.numbers}. */
  numbers: string | undefined;
  /** Whether the digits of each number of `text` come from one element. */
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
const ENDS_IN_NUMBER = /\p{N}[,.'’٬٫،\s]?$/u;
/** Also a signed one: beside another number it tells a change. */
const STARTS_AS_NUMBER = /^[,.'’٬٫،\s]?(?:[+±−–-]\s?)?\p{N}/u;

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
  /** Short elements with an arrow, innermost first. */
  readonly #arrows: [start: number, end: number][] = [];
  #lastArrow = -1;
  #joined: string | undefined;
  #tail = '\n';
  #lastText: Node | undefined;
  length = 0;

  append(data: string, node: Node): void {
    const reduced = data.replace(UNSEEN, '').replace(/\s+/g, ' ');
    const part = /\s$/.test(this.#tail) && reduced.startsWith(' ') ? reduced.slice(1) : reduced;
    if (part === '') return;
    const seen = part.replace(UNSEEN_MARKS, '');
    const isNumberGoingOn = ENDS_IN_NUMBER.test(this.#tail) && STARTS_AS_NUMBER.test(seen);
    if (isNumberGoingOn && !isSameRun(this.#lastText, node)) this.#joints.push(this.length);
    this.#runs.push({ at: this.length, node });
    if (ARROW.test(part)) this.#lastArrow = this.length;
    this.#lastText = node;
    this.#push(part, seen);
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

  /** An element that tells a change with an arrow is a badge, whatever it looks like. */
  markElement(start: number, end: number): void {
    if (this.#lastArrow >= start && end - start <= MAX_MOVE_LENGTH) this.#arrows.push([start, end]);
  }

  slice(start: number, end: number): string {
    return this.#text().slice(start, Math.min(end, start + MAX_TEXT_LENGTH));
  }

  plain(start: number, end: number): string {
    const values = this.#pieces(start, end).filter(({ isBadge }) => !isBadge);
    return values.length === 0 ? this.slice(start, end) : joinPieces(values);
  }

  /**
   * The text without badges, unless they are all of it; those that tell a change stand beside a number. Undefined when it
   * is not known which digits make a number: they come from several elements, or another badge has digits or a unit.
   */
  numbers(start: number, end: number): string | undefined {
    const pieces = withoutChanges(this.#pieces(start, end));
    const values = pieces.filter(({ isBadge }) => !isBadge);
    const shown = values.length === 0 ? pieces : values;
    const isUnclear = shown !== pieces && pieces.some(({ isBadge, text }) => isBadge && isPartOfNumber(text));
    return isUnclear || !this.#hasWholeNumbers(start, end, shown)
      ? undefined
      : withoutMarksAround(oneLine(joinPieces(shown)));
  }

  #hasWholeNumbers(start: number, end: number, shown: readonly Piece[]): boolean {
    for (
      let at = lowerBound(this.#joints.length, (index) => (this.#joints[index] ?? 0) > start);
      at < this.#joints.length;
      at += 1
    ) {
      const joint = this.#joints[at] ?? end;
      if (joint >= end) break;
      if (!this.#isAtChange(joint)) return false;
    }
    return shown.every((piece, index) => {
      const next = shown[index + 1];
      return next === undefined || !ENDS_IN_NUMBER.test(piece.text) || !STARTS_AS_NUMBER.test(next.text);
    });
  }

  /** Whether a badge that tells a change begins or ends here. */
  #isAtChange(at: number): boolean {
    const badges = this.#allBadges();
    const after = lowerBound(badges.length, (index) => (badges[index]?.[0] ?? 0) >= at);
    return [badges[after - 1], badges[after]].some(
      (badge) => badge?.includes(at) === true && isChangeBadge(this.slice(...badge)),
    );
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
      const all = isShort ? this.#pieces(start, end) : [];
      const pieces = withoutChanges(all);
      const text = isShort ? oneLine(joinPieces(pieces)) : raw.slice(0, MAX_LINE_LENGTH);
      // A line that tells a change is no value of its own.
      const isChange = all.length > 0 && all.every(({ isBadge, text: piece }) => isBadge && isChangeBadge(piece));
      if (text !== '' && !isChange && first !== undefined && last !== undefined) {
        const plain = isShort ? oneLine(this.plain(start, end)) : text;
        const numbers = isShort ? this.numbers(start, end) : undefined;
        const hasWholeNumbers = isShort && this.#hasWholeNumbers(start, end, pieces);
        lines.push({ text, plain, numbers, hasWholeNumbers, first, last });
      }
      start = end + 1;
    }
    return lines;
  }

  #text(): string {
    return (this.#joined ??= this.#parts.join(''));
  }

  /** The badges of a text and what stands between them, without empty pieces. */
  #pieces(start: number, end: number): Piece[] {
    const last = Math.min(end, start + MAX_TEXT_LENGTH);
    const pieces: Piece[] = [];
    let from = start;
    const add = (to: number, isBadge: boolean) => {
      const text = this.slice(from, Math.max(from, to));
      if (text.trim() !== '') pieces.push({ text, isBadge });
    };
    const badges = this.#allBadges();
    for (
      let at = lowerBound(badges.length, (index) => (badges[index]?.[0] ?? 0) >= start);
      at < badges.length;
      at += 1
    ) {
      const [badgeStart, badgeEnd] = badges[at] ?? [last, last];
      if (badgeStart >= last) break;
      if (badgeEnd > end) continue;
      add(badgeStart, false);
      from = badgeStart;
      add(badgeEnd, true);
      from = badgeEnd;
    }
    add(last, false);
    return pieces;
  }

  /** In order, none within another. */
  #allBadges(): readonly [start: number, end: number][] {
    if (this.#arrows.length === 0) return this.#badges;
    const moves = this.#arrows.splice(0).filter((span) => MOVE.test(oneLine(this.slice(...span))));
    const spans = [...this.#badges, ...moves].sort(
      ([one, oneEnd], [other, otherEnd]) => one - other || otherEnd - oneEnd,
    );
    this.#badges.length = 0;
    for (const span of spans) if (span[0] >= (this.#badges.at(-1)?.[1] ?? 0)) this.#badges.push(span);
    return this.#badges;
  }

  #push(part: string, seen = part): void {
    this.#parts.push(part);
    this.#joined = undefined;
    this.length += part.length;
    this.#tail = (this.#tail + seen).slice(-3);
  }
}

interface Piece {
  text: string;
  isBadge: boolean;
}

/** Badges part words: they are apart from what is beside them. */
function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join(' ');
}

function withoutChanges(pieces: Piece[]): Piece[] {
  const rest = pieces.filter(({ isBadge, text }) => !isBadge || !isChangeBadge(text));
  return rest.length === 0 ? pieces : rest;
}

const AMOUNT = '\\p{N}[\\p{N}.,٫٬]*';
const ARROWS = '[▲▼△▽▴▾↑↓↗↘⬆⬇🔺🔻]';
const ARROW = new RegExp(ARROWS, 'u');
/** Longer texts are more than a change. */
const MAX_MOVE_LENGTH = 40;

const [MOVE, ...CHANGES] = ((amount, arrow) => [
  new RegExp(
    `^(?:${arrow}\\s?${amount}\\s?[%٪‰KM]?(?:\\s?\\([+−–-]?${amount}\\s?[%٪‰]?\\))?(?:\\s\\P{N}*)?|${amount}\\s?[%٪‰]?\\s?${arrow})$`,
    'u',
  ),
  new RegExp(`^(?:\\P{N}*[\\s(])?(?:[+±−–-]|${arrow}\\s?)${amount}\\s?[%٪‰KM]?(?:[\\s)]\\P{N}*)?$`, 'u'),
  new RegExp(`^\\P{N}*${amount}\\s?(?:[%٪‰]|${arrow})(?:[\\s)]\\P{N}*)?$`, 'u'),
])(AMOUNT, `${ARROWS}[\\uFE0E\\uFE0F]?`);

/** Whether a badge tells a change or a share: one number with a sign, an arrow or per cent, such as `+12` or `▲ 3% today`. */
function isChangeBadge(badge: string): boolean {
  const text = oneLine(badge);
  return text.length <= MAX_LINE_LENGTH && [MOVE, ...CHANGES].some((pattern) => pattern.test(text));
}

const UNIT =
  /^(?:[kmb]|mio|mil|mln|mrd|bn|tsd|thousand|million|billion|lakh|crore|[千万萬億亿천만])\.?\+?$|^[+%٪‰~≈<>≤≥]+$/iu;

/** Whether a badge may go on with the number beside it: `24` and `K`, `481` and `+`, `4` and `81`. */
function isPartOfNumber(badge: string): boolean {
  return /\p{N}/u.test(badge) || UNIT.test(oneLine(badge));
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
