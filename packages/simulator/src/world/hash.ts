/** Murmur3 over 32-bit words, the only source of chance: independent of machine and time. */

// Bound once: the innermost loop, and globals are slow in test contexts.
const { floor, imul } = Math;

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

export function hashText(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length; index += 1) hash = mix(hash, text.charCodeAt(index));
  return hash;
}

export function fraction(hash: number): number {
  return hash / 4_294_967_296;
}

export function pickIndex(hash: number, length: number): number {
  return floor(fraction(hash) * length);
}

export function pick<T>(hash: number, list: readonly [T, ...T[]]): T {
  return list[pickIndex(hash, list.length)] ?? list[0];
}

const PRIMES = [5_000_011, 5_000_077, 5_000_101, 5_000_111, 5_000_113, 5_000_153, 5_000_161, 5_000_167] as const;

/** A prime above every pool's size, so that multiplying permutes. */
export function shufflePrime(hash: number): number {
  return pick(hash, PRIMES);
}

/** Noise from 0 to 1, one random value every `period` slots, eased between. */
export function smoothNoise(seed: number, slotIndex: number, period: number): number {
  const cell = floor(slotIndex / period);
  const within = slotIndex / period - cell;
  const eased = within * within * (3 - 2 * within);
  const left = fraction(mix(seed, cell));
  const right = fraction(mix(seed, cell + 1));
  return left + (right - left) * eased;
}

/** Never negative. */
export function floorModulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
