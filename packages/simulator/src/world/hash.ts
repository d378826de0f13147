/**
 * Fixed integer hashing: the only source of chance in the simulated world. Murmur3 over 32-bit words, so that a
 * number depends on nothing but its arguments, on any machine and at any time.
 */

// Bound once: this is the world's innermost loop, and a global is slow to reach where tests run in a context of their own.
const { floor, imul } = Math;

/** Folds the integer `word` into the hash `hash`; the result is a well-mixed unsigned 32-bit integer. */
export function mix(hash: number, word: number): number {
  let folded = imul(word, 0xcc9e2d51);
  folded = (folded << 15) | (folded >>> 17);
  let mixed = hash ^ imul(folded, 0x1b873593);
  mixed = (mixed << 13) | (mixed >>> 19);
  mixed = (imul(mixed, 5) + 0xe6546b64) | 0;
  mixed = imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The hash of a text, by its UTF-16 code units. */
export function hashText(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length; index += 1) hash = mix(hash, text.charCodeAt(index));
  return hash;
}

/** An unsigned 32-bit hash as a number from 0 (inclusive) to 1 (exclusive). */
export function fraction(hash: number): number {
  return hash / 4_294_967_296;
}

/** An index from 0 to `length - 1`, evenly over hashes. */
export function pickIndex(hash: number, length: number): number {
  return floor(fraction(hash) * length);
}

/** One element of a list that is not empty. */
export function pick<T>(hash: number, list: readonly [T, ...T[]]): T {
  return list[pickIndex(hash, list.length)] ?? list[0];
}
