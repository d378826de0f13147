/** In pixels. */
export interface TextBox {
  readonly width: number;
  readonly sizeMax: number;
  readonly sizeMin: number;
}

export interface FittedText {
  readonly text: string;
  /** Font size in pixels. */
  readonly size: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** More combining marks would cover neighbouring lines. */
const CODE_UNITS_PER_GRAPHEME = 8;
const ELLIPSIS = '…';

/** Makes one line of a text: in the largest size that fits, else truncated in the smallest one. */
export function fitText(raw: string, { width, sizeMax, sizeMin }: TextBox): FittedText {
  const graphemes = Array.from(segmenter.segment(oneLine(raw)), ({ segment }) => segment).map((segment) =>
    segment.slice(0, CODE_UNITS_PER_GRAPHEME).toWellFormed(),
  );
  const ems = graphemes.reduce((sum, grapheme) => sum + emsOf(grapheme), 0);
  const size = Math.min(sizeMax, Math.floor(width / Math.max(ems, 1)));
  if (size >= sizeMin) return { text: graphemes.join(''), size };
  let left = width / sizeMin - emsOf(ELLIPSIS);
  const shown = graphemes.findIndex((grapheme) => (left -= emsOf(grapheme)) < 0);
  return { text: graphemes.slice(0, shown).join('').trimEnd() + ELLIPSIS, size: sizeMin };
}

/** An upper bound of the width of a line, in pixels. */
export function widthOf({ text, size }: FittedText): number {
  const graphemes = Array.from(segmenter.segment(text), ({ segment }) => segment);
  return Math.ceil(size * graphemes.reduce((sum, grapheme) => sum + emsOf(grapheme), 0));
}

/** Without control characters and those that change the direction of the text around them. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}

/** Widths of the regular font, in proportion to those of the bold one. */
export const REGULAR_TO_BOLD = 0.9;

/** Upper bounds of the widths in DejaVu Sans Bold, in units of the font size. */
function emsOf(grapheme: string): number {
  if (/^[ijl.,:;'|!I()[\] ]/.test(grapheme)) return 0.46;
  if (/^[a-z0-9]/.test(grapheme)) return grapheme.startsWith('m') || grapheme.startsWith('w') ? 1.05 : 0.72;
  if (/^[A-Z]/.test(grapheme)) return /^[MWOQ]/.test(grapheme) ? 1.11 : 0.84;
  return 1.2;
}
