import { pick } from './hash.ts';

const PRIMES = [5_000_011, 5_000_077, 5_000_101, 5_000_111, 5_000_113, 5_000_153, 5_000_161, 5_000_167] as const;

/** A prime above every pool's size, so that multiplying permutes. */
export function shufflePrime(hash: number): number {
  return pick(hash, PRIMES);
}
