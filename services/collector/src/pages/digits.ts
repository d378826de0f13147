/**
 * The text with the decimal digits of any script as ASCII digits. Unchanged when digits of several scripts stand in it: no
 * page writes a number so.
 */
export function asciiDigits(text: string): string {
  const scripts = new Set<number>();
  const ascii = text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const value = valueOf(code);
    scripts.add(code - value);
    return String(value);
  });
  return scripts.size > 1 ? text : ascii;
}

/** Unicode has the digits of a script in order, 0 to 9; no other characters stand between neighbouring scripts. */
function valueOf(code: number): number {
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

/** Marks of the direction and joining of text, which have no glyph and leave a number as it is. */
const MARKS = '\\u200C-\\u200F\\u2061-\\u2064\\u061C\\u202A-\\u202C\\u2066-\\u2069';
export const UNSEEN_MARKS = new RegExp(`[${MARKS}]`, 'g');
/** Pictures beside a number: people, a controller, a globe, a clock, a green light. */
const PICTURES = '[👤👥🎮🌐⏱🟢]\\uFE0F?';
const AROUND = new RegExp(`^(?:[\\s${MARKS}]|${PICTURES})+|(?:[\\s${MARKS}]|${PICTURES})+$`, 'gu');
const MARKS_AROUND = new RegExp(`^[\\s${MARKS}]+|[\\s${MARKS}]+$`, 'g');

/** The text without white space and such marks around it. */
export function withoutMarksAround(text: string): string {
  return text.replace(MARKS_AROUND, '');
}

const FULL_WIDTH_OFFSET = 0xfee0;

/** The text of a number with ASCII digits, slashes and colons, without the marks and pictures around it. */
export function plainNumber(text: string): string {
  const narrow = text.replace(/[\uFF01-\uFF5E]/g, (wide) =>
    String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET),
  );
  const plain = asciiDigits(narrow.replace(AROUND, '')).replace(/[\u2044\u2215]/g, '/');
  return plain === '' ? text.trim() : plain;
}
