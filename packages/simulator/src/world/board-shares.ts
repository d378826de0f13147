import { fraction, mix } from './hash.ts';

/** One title in eight has no leaderboards. */
const BOARDLESS_SHARE = 0.12;

/** Uneven shares with an exact total. */
export function distribute(total: number, titles: number, seed: number): readonly number[] {
  const weights = Array.from({ length: titles }, (_, index) => weightOf(mix(seed, index)));
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let weightSoFar = 0;
  let totalSoFar = 0;
  return weights.map((weight, index) => {
    weightSoFar += weight;
    // Rounding the running sum bounds every error.
    const due = index === titles - 1 ? total : Math.round((weightSoFar / weightSum) * total);
    const share = Math.max(0, due - totalSoFar);
    totalSoFar += share;
    return share;
  });
}

function weightOf(hash: number): number {
  if (fraction(hash) < BOARDLESS_SHARE) return 0;
  return 0.15 + fraction(mix(hash, 1)) ** 3 * 4;
}
