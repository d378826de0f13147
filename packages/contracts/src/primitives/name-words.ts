/** Letters that Unicode does not decompose, and the final sigma. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ...([
    ['æ', 'ae'],
    ['đ', 'd'],
    ['ð', 'd'],
    ['ħ', 'h'],
    ['ł', 'l'],
    ['ø', 'o'],
  ] as const),
  ...([
    ['œ', 'oe'],
    ['ŧ', 't'],
    ['þ', 'th'],
    ['ς', 'σ'],
  ] as const),
]);

/** Digits; capitals; letters with one capital; a letter of a script without spaces; other letters without case. */
const WORDS =
  /\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]|[[\p{Lo}\p{Lm}\p{Lt}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]]+/gv;

/**
 * Splits a name into its words as every search compares them: without case, accents, width and punctuation; `İ`, `I`
 * and `ı` are `i`. A word also begins at a capital after a small letter, and at digits. A text of other characters is
 * one word. Stored: a change of the result needs a migration.
 */
export function nameWords(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  const words = (plain.match(WORDS) ?? []).map(foldCase);
  return words.length > 0 ? words : [plain.trim()].filter((text) => text !== '');
}

/** Returns the words of a text as one: texts with equal keys differ in spelling alone. */
export function searchKey(text: string): string {
  return nameWords(text).join('');
}

/** By way of capitals, which unites `ß`, `ẞ` and `ss`, `ı` and `i`, `ς` and `σ`. */
function foldCase(word: string): string {
  return Array.from(word.toLowerCase().toUpperCase().toLowerCase(), (letter) => PLAIN.get(letter) ?? letter).join('');
}
