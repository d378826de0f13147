import { nameKey } from '@lobbystats/contracts';

/** Later words of a longer name find nothing. */
const WORDS_MAX = 8;

/**
 * Returns a name from each of its words to its end, in lower case, without accents and punctuation. A text with no
 * letters and digits is one word. Stored: increment the projection's format when the result changes.
 */
export function wordKeys(name: string): string[] {
  const folded = nameKey(name)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const words = folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  if (words.length === 0) return folded === '' ? [] : [folded];
  return words.slice(0, WORDS_MAX).map((_, index) => words.slice(index).join(' '));
}

/** All keys that begin with a key are below this. */
export function endOfPrefix(key: string): string {
  return `${key}\u{10ffff}`;
}

export const matches = { exact: 0, firstWord: 1, laterWord: 2 } as const;
/** A lower one is better. */
export type Match = (typeof matches)[keyof typeof matches];

/** Returns how well a name with these {@link wordKeys} matches; undefined if no word begins with the key. */
export function matchOf([first, ...others]: readonly string[], key: string): Match | undefined {
  if (first === key) return matches.exact;
  if (first?.startsWith(key) === true) return matches.firstWord;
  return others.some((other) => other.startsWith(key)) ? matches.laterWord : undefined;
}
