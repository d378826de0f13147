/** Controls and letters of right-to-left scripts: Unicode Standard Annex 9. */
const TURNS =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069'];

/**
 * A name in a text without markup, as `<bdi>` in a page: its direction, and what it overrides, end with it. Names that have
 * no influence on the text around them stay as they are.
 */
export function isolated(name: string): string {
  return TURNS.test(name) ? FIRST_STRONG_ISOLATE + balanced(name) + POP_ISOLATE : name;
}

/** A template of a text without markup, with its values {@link isolated}. */
export function plainText(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => isolated(String(value))));
}

/** Removes ends of isolates that have no beginning, which would end ours, and ends those that have no end. */
function balanced(name: string): string {
  let depth = 0;
  const text = name.replace(/[\u2066-\u2069]/g, (control) => {
    depth += control === POP_ISOLATE ? -1 : 1;
    if (depth >= 0) return control;
    depth = 0;
    return '';
  });
  return text + POP_ISOLATE.repeat(depth);
}

/** More marks in a row overprint the lines around them; no script writes so many. */
const COMBINING_MARKS_MAX = 8;
/** Invisible characters between marks do not end their row. */
const ILLEGIBLE = new RegExp(String.raw`[^\P{Cc}\t\n\r]|(?:\p{M}\p{Cf}*){${COMBINING_MARKS_MAX + 1}}`, 'u');

export const illegibleMessage = `must have no control characters except tabs and line ends, and at most ${COMBINING_MARKS_MAX} combining marks in a row`;

/** Whether a text of users has nothing that controls a terminal, or covers the text around it. */
export function isLegible(text: string): boolean {
  return !ILLEGIBLE.test(text);
}
