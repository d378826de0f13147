import { nameWords, searchKey } from './name-words.ts';

/** Later words of a longer name are found as its parts. */
const WORDS_MAX = 8;
/** Fewer letters are in nearly every name. */
export const PART_MIN = 3;
/** A shorter text is one letter away from too many names. */
const NEAR_MIN = 4;

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

/** Returns a name from each of its words to its end, each as one word. Stored by catalog-api. */
export function wordKeys(name: string): string[] {
  const words = nameWords(name);
  return words.slice(0, WORDS_MAX).map((_, index) => words.slice(index).join(''));
}

/** Whether a key is searched for within words. */
export function isPartKey(key: string): boolean {
  return Array.from(key).length >= PART_MIN;
}

export const matches = { exact: 0, firstWord: 1, laterWord: 2, everyWord: 3, part: 4, near: 5 } as const;
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

/**
 * Whether a name with these {@link wordKeys} has a word that begins with the text but for one letter: a wrong, missing
 * or additional one, or two that changed places. Used when no name matches.
 */
export function isNear(keys: readonly string[], { key }: NameQuery): boolean {
  const typed = Array.from(key);
  return typed.length >= NEAR_MIN && keys.some((one) => beginsNear(Array.from(one), typed));
}

function beginsNear(name: readonly string[], typed: readonly string[]): boolean {
  const equal = typed.findIndex((letter, index) => letter !== name[index]);
  if (equal === -1) return true;
  const begins = (nameFrom: number, typedFrom: number) =>
    typed.slice(typedFrom).every((letter, index) => letter === name[nameFrom + index]);
  const isSwapped = typed[equal] === name[equal + 1] && typed[equal + 1] === name[equal];
  return (
    begins(equal + 1, equal + 1) ||
    begins(equal + 1, equal) ||
    begins(equal, equal + 1) ||
    (isSwapped && begins(equal + 2, equal + 2))
  );
}
