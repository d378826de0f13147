// Bodies are untrusted: removes escape sequences and line breaks.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** A text as one printable line of at most `max` characters. */
export function oneLine(text: string, max = 300): string {
  const line = text
    .slice(0, max * 2)
    .replace(UNPRINTABLE, ' ')
    .trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
