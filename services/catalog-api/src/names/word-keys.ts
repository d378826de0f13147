import { PART_MIN, wordKeys } from '@lobbystats/contracts';

/** Bounds the rows of a name: a gamertag has at most 15 characters. */
const PARTS_MAX = 40;

/** Returns a name from each character within its words to its end, if that are enough to be searched for. Stored. */
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

/** All keys that begin with a key are below this. */
export function endOfPrefix(key: string): string {
  return `${key}\u{10ffff}`;
}
