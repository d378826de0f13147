import { nameWords, searchKey } from '@lobbystats/contracts';

/** Later words of a longer name are found as its parts. */
const WORDS_MAX = 8;
/** Bounds the rows of a name: a gamertag has at most 15 characters. */
const PARTS_MAX = 40;
/** Fewer letters are in nearly every name. */
const PART_MIN = 3;

/** A text that names are searched for. */
export interface NameQuery {
  /** All words as one. */
  readonly key: string;
  /** Words as spaces and punctuation separate them. */
  readonly words: readonly string[];
}

/** Returns undefined for a text that is in no name. */
export function nameQuery(text: string): NameQuery | undefined {
  const words = text
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(searchKey)
    .filter((word) => word !== '');
  const key = searchKey(text);
  return key === '' ? undefined : { key, words: words.length === 0 ? [key] : words };
}

/** Returns a name from each of its words to its end, each as one word. Stored, as are {@link nameParts}. */
export function wordKeys(name: string): string[] {
  const words = nameWords(name);
  return words.slice(0, WORDS_MAX).map((_, index) => words.slice(index).join(''));
}

/** Returns a name from each character within its words to its end, if that are enough to be searched for. */
export function nameParts(name: string): string[] {
  const [whole = '', ...laterKeys] = wordKeys(name);
  const starts = new Set([whole, ...laterKeys].map(({ length }) => whole.length - length));
  const characters = Array.from(whole);
  const parts = new Set<string>();
  let at = 0;
  for (const [index, character] of characters.slice(0, -(PART_MIN - 1)).entries()) {
    if (index < PARTS_MAX && !starts.has(at)) parts.add(whole.slice(at));
    at += character.length;
  }
  return [...parts];
}

/** Whether a key is searched for within words. */
export function isPartKey(key: string): boolean {
  return Array.from(key).length >= PART_MIN;
}

/** All keys that begin with a key are below this. */
export function endOfPrefix(key: string): string {
  return `${key}\u{10ffff}`;
}

export const matches = { exact: 0, firstWord: 1, laterWord: 2, everyWord: 3, part: 4 } as const;
/** A lower one is better. */
export type Match = (typeof matches)[keyof typeof matches];

/** Returns how well a name with these {@link wordKeys} matches; undefined if it does not. */
export function matchOf(keys: readonly string[], { key, words }: NameQuery): Match | undefined {
  const [whole, ...laterKeys] = keys;
  if (whole === key) return matches.exact;
  if (whole?.startsWith(key) === true) return matches.firstWord;
  if (laterKeys.some((other) => other.startsWith(key))) return matches.laterWord;
  if (words.length > 1 && words.every((word) => hasWord(keys, word))) return matches.everyWord;
  return isPartKey(key) && whole?.includes(key) === true ? matches.part : undefined;
}

/** Whether a name with these {@link wordKeys} has a word that begins with a key. */
export function hasWord(keys: readonly string[], key: string): boolean {
  return keys.some((one) => one.startsWith(key));
}
